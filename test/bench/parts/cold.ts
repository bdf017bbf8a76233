import { gzipSync } from 'node:zlib'
import { type Bench, SERVICES } from '../harness/bench.ts'
import type { WorkerSetup } from '../harness/capnp.ts'
import { median } from '../harness/load.ts'
import { amount } from '../harness/quick.ts'
import type { Goal, Section } from '../harness/report.ts'
import { withClient } from '../harness/subjects.ts'
import { ourWorker, type Prepared, plainWorker, prepare, workerConfigs } from '../harness/workerd.ts'

const STARTS = amount(15, 2)

/** Nothing listens there, and nothing is asked. */
const NOWHERE = '127.0.0.1:9'

/** They build transactions. */
const WITH_TRANSACTIONS = ['vault', 'payments']

const EMPTY = 'empty Worker'
const LIBRARIES = 'Hono, jose, driver, Drizzle alone'

/** The Workers that answer requests. Those without routes answer none; the console's answers are files. */
const groups = (): string[] =>
  workerConfigs().flatMap(({ group, routes }) => (routes.length > 0 && group !== 'console' ? [group] : []))

/** The rows that this part promises. */
export const subjects = (): string[] => [EMPTY, LIBRARIES, ...groups()]

/** What starts, and what a start took each time. */
type Subject = { name: string; worker: WorkerSetup; prepared: Prepared; starts: number[] }

/**
 * From the start of the process to the first answer, a 404 that asks nothing of anybody; and what a Worker
 * weighs, minified and gzipped.
 */
export async function cold(bench: Bench): Promise<Section[]> {
  const subjects: Subject[] = []
  const add = async (name: string, worker: WorkerSetup) => {
    const servers = { outside: NOWHERE, kv: NOWHERE, queue: NOWHERE }
    subjects.push({ name, worker, prepared: await prepare({ workers: [worker], servers }), starts: [] })
  }
  await add(EMPTY, await plainWorker('empty', 'test/bench/peers/empty-worker.ts'))
  await add(LIBRARIES, await plainWorker('libraries', 'test/bench/peers/libraries-worker.ts'))
  for (const group of groups()) await add(group, await ourWorker(group, bench.settings, SERVICES))
  for (let start = 0; start <= STARTS; start++) {
    for (const { prepared, starts } of subjects) {
      const took = await timeStart(prepared)
      // The first finds nothing in the page cache.
      if (start > 0) starts.push(took)
    }
  }
  const figures = subjects.map(({ name, worker, starts }) => ({
    name,
    ms: median(starts),
    kb: gzipSync(worker.script).length / 1000,
  }))
  const libraries = figures.find(({ name }) => name === LIBRARIES)?.ms ?? Number.NaN
  return [
    {
      title: 'Cold start: process to first answer, and gzipped size',
      columns: ['', 'ms', `: libraries alone`, 'KB gzipped'],
      rows: figures.map(({ name, ms, kb }) => [name, ms, ms / libraries, kb]),
      goals: [worst(figures, libraries), ...weights(figures)],
      notes: [`medians of ${STARTS} starts`],
    },
  ]
}

async function timeStart(prepared: Prepared): Promise<number> {
  const startedAt = performance.now()
  const running = await prepared.start()
  await withClient(running.origin, (client) => client.send({ path: '/nothing-here' }))
  const took = performance.now() - startedAt
  await running.stop()
  return took
}

type Figure = { name: string; ms: number; kb: number }

const isProduct = ({ name }: Figure) => name !== EMPTY && name !== LIBRARIES

function worst(figures: Figure[], libraries: number): Goal {
  const slowest = Math.max(...figures.filter(isProduct).map(({ ms }) => ms))
  return {
    what: 'our slowest Worker : libraries alone',
    measured: slowest / libraries,
    limit: 1.3,
    is: 'at most',
  }
}

function weights(figures: Figure[]): Goal[] {
  const largest = (some: Figure[]) => Math.max(...some.map(({ kb }) => kb))
  const products = figures.filter(isProduct)
  return [
    {
      what: 'KB gzipped, our largest Worker but vault and payments',
      measured: largest(products.filter(({ name }) => !WITH_TRANSACTIONS.includes(name))),
      limit: 115,
      is: 'at most',
    },
    {
      what: 'KB gzipped, vault and payments',
      measured: largest(products.filter(({ name }) => WITH_TRANSACTIONS.includes(name))),
      limit: 130,
      is: 'at most',
    },
  ]
}

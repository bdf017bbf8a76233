import { gzipSync } from 'node:zlib'
import { MOST_BYTES } from '../../support/bundles.ts'
import { type Bench, SERVICES } from '../harness/bench.ts'
import type { WorkerSetup } from '../harness/capnp.ts'
import { median } from '../harness/load.ts'
import { threadsCpuMs } from '../harness/process.ts'
import { amount } from '../harness/quick.ts'
import type { Goal, Section } from '../harness/report.ts'
import { withClient } from '../harness/subjects.ts'
import { ourWorker, type Prepared, plainWorker, prepare, workerConfigs } from '../harness/workerd.ts'

const STARTS = amount(15, 2)

/** Nothing listens there, and nothing is asked. */
const NOWHERE = '127.0.0.1:9'

const EMPTY = 'empty Worker'
const LIBRARIES = 'Hono, jose, driver, Drizzle alone'

/** The Workers that answer requests. Those without routes answer none; the console's answers are files. */
const groups = (): string[] =>
  workerConfigs().flatMap(({ group, routes }) => (routes.length > 0 && group !== 'console' ? [group] : []))

/** The rows that this part promises. */
export const subjects = (): string[] => [EMPTY, LIBRARIES, ...groups()]

/** CPU of all threads, and wall-clock time, in milliseconds. */
type Start = { cpuMs: number; ms: number }

/** What starts, and what a start took each time. */
type Subject = { name: string; worker: WorkerSetup; prepared: Prepared; starts: Start[] }

/**
 * From the start of the process to the first answer, a 404 that asks nothing of anybody; and what a Worker
 * weighs, minified and gzipped. The ratio is of CPU, since a busy machine doubles the time that passes.
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
    cpuMs: median(starts.map(({ cpuMs }) => cpuMs)),
    ms: median(starts.map(({ ms }) => ms)),
    kb: gzipSync(worker.script).length / 1000,
  }))
  const libraries = figures.find(({ name }) => name === LIBRARIES)?.cpuMs ?? Number.NaN
  return [
    {
      title: 'Cold start: process to first answer, and gzipped size',
      columns: ['', 'CPU ms', ': libraries alone', 'ms', 'KB gzipped'],
      rows: figures.map(({ name, cpuMs, ms, kb }) => [name, cpuMs, cpuMs / libraries, ms, kb]),
      goals: [slowest(figures, libraries), largest(figures)],
      notes: [`medians of ${STARTS} starts`],
    },
  ]
}

async function timeStart(prepared: Prepared): Promise<Start> {
  const startedAt = performance.now()
  const running = await prepared.start()
  await withClient(running.origin, (client) => client.send({ path: '/nothing-here' }))
  const start = { cpuMs: threadsCpuMs(running.pid), ms: performance.now() - startedAt }
  await running.stop()
  return start
}

type Figure = { name: string; cpuMs: number; kb: number }

const products = (figures: Figure[]) => figures.filter(({ name }) => name !== EMPTY && name !== LIBRARIES)

const slowest = (figures: Figure[], libraries: number): Goal => ({
  what: 'CPU of our slowest Worker : libraries alone',
  measured: Math.max(...products(figures).map(({ cpuMs }) => cpuMs)) / libraries,
  limit: 1.45,
  is: 'at most',
})

const largest = (figures: Figure[]): Goal => ({
  what: 'KB gzipped, our largest Worker',
  measured: Math.max(...products(figures).map(({ kb }) => kb)),
  limit: MOST_BYTES / 1_000,
  is: 'at most',
})

import { type Bench, type Database, type Neighbours, startNeighbours, type User } from '../harness/bench.ts'
import { type Call, createClient, expectSuccess, median } from '../harness/load.ts'
import { schedulerCpuMs } from '../harness/process.ts'
import { amount } from '../harness/quick.ts'
import type { Goal, Section } from '../harness/report.ts'
import { type Amounts, seedScale } from '../harness/seed-scale.ts'
import { observe, type StartedWorker, startWorker } from '../harness/subjects.ts'
import type { SentStatement } from '../neighbours.ts'

const MANY: Amounts = {
  rows: amount(1_000_000, 20_000),
  hires: amount(10_000, 1_000),
  ofEach: amount(1_000, 100),
}
const FEW: Amounts = { rows: 1_000, hires: 100, ofEach: 10 }
const REQUESTS = amount(30, 3)
const WARM_UP = amount(5, 1)
const REPEATS = amount(15, 3)

/** One of the lists: which Worker serves it, and who asks. */
type List = { group: string; path: string; as?: 'hirer' }

const FILTERS = ['status=inactive', 'agentType=oracle', 'feeModel=hybrid', 'q=keeper', 'minReputation=90']
const RARE = 'layer=22'
/** Words: common ones, two, a common one with a less common one, a letter, a rare one, another form. */
const DOCS = [
  ...['q=liquidity', 'q=autonomous', 'q=keeper+liquidity', 'q=keeper+77', 'q=k', 'q=scout+7777'],
  'q=K%C3%A9eper%2Fliquidity',
]
/** Needs, which no names and words meet; and what reads both. */
const NEEDS = ['q=keepers+of+liquid', 'q=liquidation+agents', 'q=scouts&sort=price']
const AGENT_LISTS = [
  '',
  'layer=7',
  RARE,
  ...FILTERS,
  ...FILTERS.map((filter) => `${filter}&${RARE}`),
  ...DOCS,
  ...NEEDS,
  'sort=rating',
  'sort=hires&layer=7',
  `sort=price&${RARE}`,
  'q=keeper&status=all&feeModel=flat',
]
const REGISTRY_LISTS = [
  '',
  'agentType=data',
  'capability=storage',
  'capability=gaming',
  'layer=11',
  'layer=23',
  'agentType=data&layer=11',
  'agentType=data&layer=23',
  'capability=storage&layer=11',
  'capability=gaming&layer=23',
  'q=agent',
  'q=storage',
]

const listsOf = (owner: string): List[] => [
  ...AGENT_LISTS.map((query) => ({ group: 'agents', path: `/v1/agents?${query}` })),
  ...['', 'q=keeper', 'q=keepers+of+liquid'].map((query) => ({
    group: 'agents',
    path: `/v1/agents/counts?${query}`,
  })),
  ...REGISTRY_LISTS.map((query) => ({ group: 'registry', path: `/v1/registry/agents?${query}` })),
  { group: 'reputation', path: `/v1/reputation?user_id=${owner}` },
  { group: 'agents', path: '/v1/agents/hire', as: 'hirer' },
  { group: 'events', path: '/v1/events', as: 'hirer' },
]

/** The rows that this part promises. */
export const subjects = (): string[] =>
  listsOf('owner').map(({ path }) => path.replace('/v1', '').replace(/\?$/, ''))

/** Milliseconds, medians: CPU of Postgres, and the whole request. */
type Times = { postgresMs: number; wholeMs: number }

/** Every list over a million rows and over a thousand. */
export async function scale(bench: Bench): Promise<Section[]> {
  const [hirer, owner] = [await bench.createUser(), await bench.createUser()]
  const lists = listsOf(owner.wallet.publicKey)
  const open = (name: string, amounts: Amounts) => openSide(bench, name, amounts, { hirer, owner })
  const few = await open('scale_few', FEW)
  const many = await open('scale_many', MANY)
  const measured: [many: Times, few: Times][] = []
  for (const list of lists) measured.push(await measureList(bench, list, [many, few], hirer))
  const rows = measured.map(([a, b], i) => {
    const ratio = a.postgresMs / b.postgresMs
    return [
      subjects()[i] ?? '',
      a.postgresMs,
      b.postgresMs,
      ratio,
      a.wholeMs,
      b.wholeMs,
      a.wholeMs / b.wholeMs,
    ] as const
  })
  const worst = (some: typeof rows) => Math.max(...some.map(([, , , , , , ratio]) => ratio))
  const isFiltered = ([path]: (typeof rows)[number]) => path.includes('agents?')
  const hires = rows.find(([path]) => path === '/agents/hire')?.[4] ?? Number.NaN
  const goals: Goal[] = [
    {
      what: 'the worst filter, in Postgres',
      measured: Math.max(...rows.filter(isFiltered).map(([, , , ratio]) => ratio)),
      limit: 2.5,
      is: 'at most',
    },
    {
      what: 'q= of whatever words, in Postgres',
      measured: Math.max(...rows.filter(([path]) => path.includes('q=')).map(([, , , ratio]) => ratio)),
      limit: 2.5,
      is: 'at most',
    },
    { what: 'the worst filter, whole', measured: worst(rows.filter(isFiltered)), limit: 2.5, is: 'at most' },
    {
      what: `GET /agents/hire of ${MANY.hires.toLocaleString('en')} hires, ms`,
      measured: hires,
      limit: 5,
      is: 'at most',
    },
  ]
  return [
    {
      title: `Lists, ${MANY.rows.toLocaleString('en')} rows : ${FEW.rows.toLocaleString('en')}`,
      columns: ['', 'Postgres CPU ms', 'of few', 'ratio', 'whole ms', 'of few', 'ratio'],
      rows: rows.map((row) => [...row]),
      goals,
      notes: [
        `one wallet with ${MANY.hires.toLocaleString('en')} hires : ${FEW.hires}, one with ${MANY.ofEach.toLocaleString('en')} of all that makes a reputation : ${FEW.ofEach}`,
      ],
    },
  ]
}

/** A database with its neighbours, and the Workers over it by group. */
type Side = { database: Database; neighbours: Neighbours; workers: Map<string, StartedWorker> }

async function openSide(
  bench: Bench,
  name: string,
  amounts: Amounts,
  { hirer, owner }: { hirer: User; owner: User },
): Promise<Side> {
  const database = await bench.createDatabase(name)
  await seedScale(database, amounts, { hirer: hirer.wallet.publicKey, owner: owner.wallet.publicKey })
  return {
    database,
    neighbours: await startNeighbours({ databaseUrl: database.url }),
    workers: new Map(),
  }
}

/** Asks both sides in turn, so that other load on the machine affects both alike. */
async function measureList(
  bench: Bench,
  { group, path, as }: List,
  [many, few]: [Side, Side],
  hirer: User,
): Promise<[Times, Times]> {
  const call: Call = { path, ...(as ? { headers: hirer.headers } : {}) }
  const open = async (side: Side) => {
    const worker = side.workers.get(group) ?? (await startWorker(bench, side.neighbours, group))
    side.workers.set(group, worker)
    const { counts, body } = await observe(worker, side.neighbours, call)
    // An empty list is fast for any number of rows. With few rows, a rare pair may be empty.
    if (side === many && body.count === 0) throw new Error(`${path} finds nothing`)
    const client = createClient(worker.origin, 1)
    return { side, client, statements: counts.statements, whole: [] as number[], postgres: [] as number[] }
  }
  const runs = [await open(many), await open(few)] as const
  for (let request = 0; request < REQUESTS + WARM_UP; request++) {
    for (const { client, whole } of runs) {
      const startedAt = performance.now()
      expectSuccess(await client.send(call))
      if (request >= WARM_UP) whole.push(performance.now() - startedAt)
    }
  }
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const { side, statements, postgres } of runs) {
      postgres.push(await cpuInPostgres(side.database, statements))
    }
  }
  for (const { client } of runs) client.close()
  const timesOf = ({ whole, postgres }: (typeof runs)[number]): Times => ({
    wholeMs: median(whole),
    postgresMs: median(postgres),
  })
  return [timesOf(runs[0]), timesOf(runs[1])]
}

/**
 * CPU milliseconds that Postgres takes for the statements that the Worker sent, with parsing and planning.
 * Other load of the machine hardly changes them.
 */
async function cpuInPostgres({ query }: Database, statements: SentStatement[]): Promise<number> {
  const { rows } = await query('select pg_backend_pid() as pid')
  const before = schedulerCpuMs(rows[0].pid)
  for (const { query: text, params } of statements) await query(text, params)
  return schedulerCpuMs(rows[0].pid) - before
}

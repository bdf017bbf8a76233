import { type Bench, type Neighbours, startNeighbours, type User } from '../harness/bench.ts'
import { type Call, expectSuccess, median } from '../harness/load.ts'
import type { Goal, Section } from '../harness/report.ts'
import { type Amounts, seedScale } from '../harness/seed-scale.ts'
import { type Ours, observe, startOurs, withClient } from '../harness/subjects.ts'

const MANY: Amounts = { rows: process.env.BENCH_QUICK ? 50_000 : 1_000_000, hires: 10_000, ofEach: 1_000 }
const FEW: Amounts = { rows: 1_000, hires: 100, ofEach: 10 }
const REQUESTS = 25
const EXPLAINS = 7

/** One of the lists: which Worker serves it, and who asks. */
type List = { group: string; path: string; as?: 'hirer' }

const FILTERS = ['status=inactive', 'agentType=oracle', 'feeModel=hybrid', 'q=keeper', 'minReputation=90']
const RARE = 'layer=22'
const AGENT_LISTS = ['', 'layer=7', RARE, ...FILTERS, ...FILTERS.map((filter) => `${filter}&${RARE}`)]
const REGISTRY_LISTS = [
  '',
  'agentType=data',
  'capability=storage',
  'capability=gaming',
  'layer=11',
  'layer=23',
  'agentType=data&layer=11',
  'agentType=data&layer=23',
]

/** Milliseconds, medians: in Postgres (planning and execution), and the whole request. */
type Times = { postgresMs: number; wholeMs: number }

/** Every list over a million rows and over a thousand. */
export async function scale(bench: Bench): Promise<Section[]> {
  const [hirer, owner] = [await bench.createUser(), await bench.createUser()]
  const lists: List[] = [
    ...AGENT_LISTS.map((query) => ({ group: 'agents', path: `/v1/agents?${query}` })),
    ...REGISTRY_LISTS.map((query) => ({ group: 'registry', path: `/v1/registry/agents?${query}` })),
    { group: 'reputation', path: `/v1/reputation?user_id=${owner.wallet.publicKey}` },
    { group: 'agents', path: '/v1/agents/hire', as: 'hirer' },
    { group: 'events', path: '/v1/events', as: 'hirer' },
  ]
  const measure = (name: string, amounts: Amounts) =>
    measureLists(bench, name, amounts, lists, { hirer, owner })
  const few = await measure('scale_few', FEW)
  const many = await measure('scale_many', MANY)
  const rows = lists.map((list, i) => {
    const [a, b] = [many[i] as Times, few[i] as Times]
    const shown = list.path.replace('/v1', '').replace(owner.wallet.publicKey, 'owner').replace(/\?$/, '')
    const ratio = a.postgresMs / b.postgresMs
    return [shown, a.postgresMs, b.postgresMs, ratio, a.wholeMs, b.wholeMs, a.wholeMs / b.wholeMs] as const
  })
  const worst = (some: typeof rows) => Math.max(...some.map(([, , , , , , ratio]) => ratio))
  const isFiltered = ([path]: (typeof rows)[number]) => path.includes('agents?')
  const hires = rows.find(([path]) => path === '/agents/hire')?.[4] ?? Number.NaN
  const goals: Goal[] = [
    { what: 'the worst filter, whole', measured: worst(rows.filter(isFiltered)), limit: 2.5, is: 'at most' },
    { what: 'GET /agents/hire of 10,000 hires, ms', measured: hires, limit: 5, is: 'at most' },
  ]
  return [
    {
      title: `Lists, ${MANY.rows.toLocaleString('en')} rows : ${FEW.rows.toLocaleString('en')}`,
      columns: ['', 'Postgres ms', 'of few', 'ratio', 'whole ms', 'of few', 'ratio'],
      rows: rows.map((row) => [...row]),
      goals,
      notes: [
        `one wallet with ${MANY.hires.toLocaleString('en')} hires : ${FEW.hires}, one with ${MANY.ofEach.toLocaleString('en')} of all that makes a reputation : ${FEW.ofEach}`,
      ],
    },
  ]
}

async function measureLists(
  bench: Bench,
  name: string,
  amounts: Amounts,
  lists: List[],
  users: { hirer: User; owner: User },
): Promise<Times[]> {
  const database = await bench.createDatabase(name)
  const { hirer, owner } = users
  await seedScale(database, amounts, { hirer: hirer.wallet.publicKey, owner: owner.wallet.publicKey })
  const neighbours = await startNeighbours({ databaseUrl: database.url })
  const workers = new Map<string, Ours>()
  const times: Times[] = []
  for (const { group, path, as } of lists) {
    const worker = workers.get(group) ?? (await startOurs(bench, neighbours, group))
    workers.set(group, worker)
    const call = { path, ...(as ? { headers: hirer.headers } : {}) }
    times.push({
      wholeMs: await timeRequests(worker, call),
      postgresMs: await timeInPostgres(worker, neighbours, call, database.query),
    })
  }
  for (const { process } of workers.values()) await process.stop()
  await neighbours.stop()
  return times
}

/** The median request, one after the other; the first ones warm up. */
const timeRequests = ({ origin }: Ours, call: Call): Promise<number> =>
  withClient(origin, async (client) => {
    const times: number[] = []
    for (let i = 0; i < REQUESTS + 5; i++) {
      const startedAt = performance.now()
      expectSuccess(await client.send(call))
      if (i >= 5) times.push(performance.now() - startedAt)
    }
    return median(times)
  })

type Explained = { 'QUERY PLAN': [{ 'Planning Time': number; 'Execution Time': number }] }

/** What Postgres says that it takes for the statements that the Worker sends. */
async function timeInPostgres(
  worker: Ours,
  neighbours: Neighbours,
  call: Call,
  query: (text: string, params?: unknown[]) => Promise<{ rows: unknown[] }>,
): Promise<number> {
  const { counts } = await observe(worker, neighbours, call)
  const times: number[] = []
  for (let i = 0; i < EXPLAINS; i++) {
    let total = 0
    for (const { query: text, params } of counts.statements) {
      const { rows } = await query(`explain (analyze, timing off, format json) ${text}`, params)
      const [plan] = (rows[0] as Explained)['QUERY PLAN']
      total += plan['Planning Time'] + plan['Execution Time']
    }
    times.push(total)
  }
  return median(times)
}

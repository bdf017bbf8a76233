import type { KeyWallet } from '../../../lib/cli/wallet.ts'
import { costOfMillion, type Usage } from '../cost.ts'
import { type Bench, type Database, type Neighbours, startNeighbours, type User } from '../harness/bench.ts'
import { drawWallet } from '../harness/draws.ts'
import { type Action, createClient, load } from '../harness/load.ts'
import { cpuMsOf, descendantsOf, parentOf } from '../harness/process.ts'
import { amount } from '../harness/quick.ts'
import type { Section } from '../harness/report.ts'
import { MARKET, seedAgents } from '../harness/seed.ts'
import { startWorker, withClient } from '../harness/subjects.ts'
import { prices } from '../prices.ts'
import { costOfMonths, subjects as months } from './idle.ts'
import { logIn } from './login.ts'
import { giveCred } from './vault.ts'

const BURST = { count: amount(1_000, 50), connections: 8 }

/** A kind of action: what it is called in the table, which Worker serves it, how many requests it is. */
type Kind = { name: string; group: string; requests?: number; act: Action }

/** Computes the cost of a million of each request at published prices. */
export async function costs(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('costs')
  await seedAgents(database, MARKET)
  const neighbours = await startNeighbours({ databaseUrl: database.url, hasChain: true })
  const rows: Section['rows'] = []
  for (const kind of kindsOf(await castOf(bench, database, neighbours))) {
    const { sql, rpc, ...used } = await sample(bench, database, neighbours, kind)
    const { requests, cpu, kv, queue, postgres, total } = costOfMillion(used)
    rows.push([
      kind.name,
      used.cpuMs,
      used.postgresCpuMs,
      sql,
      rpc,
      requests,
      cpu,
      kv,
      queue,
      postgres,
      total,
    ])
  }
  return [
    {
      title: 'What a million of each costs, in US dollars',
      columns: [
        '',
        'CPU ms',
        'of Postgres',
        'SQL',
        'RPC',
        'requests',
        'CPU',
        'KV',
        'queues',
        'Postgres',
        'total',
      ],
      rows,
      goals: [],
      notes: [
        'beyond what plans include; Postgres by its CPU time alone; an RPC node has its provider’s price',
        ...Object.values(prices).map(
          ({ usd, per, source, date }) => `$${usd} per ${per} (${source}, ${date})`,
        ),
      ],
    },
    await costOfMonths(bench),
  ]
}

/** Who acts, and on what. */
type Cast = { users: User[]; wallets: KeyWallet[]; agentIds: string[] }

async function castOf(bench: Bench, database: Database, neighbours: Neighbours): Promise<Cast> {
  const { rows } = await database.query(`select id from agents where status = 'active' order by id`)
  // More than a kind sends: each of its stacks is another wallet's first.
  const users = await Promise.all(Array.from({ length: 3 * BURST.count }, bench.createUser))
  const wallets = Array.from({ length: 100 }, drawWallet)
  await withClient(`http://${neighbours.ready.outside}`, async (client) => {
    for (const user of users) await giveCred(client, user, neighbours.ready.vaultSettings.VAULT_MINT ?? '')
  })
  return { users, wallets, agentIds: rows.map(({ id }) => id) }
}

function kindsOf({ users, wallets, agentIds }: Cast): Kind[] {
  const pick = <T>(some: T[], number: number) => some[number % some.length] as T
  const get =
    (pathOf: () => string): Action =>
    (client, number) =>
      client.send({ path: pathOf(), headers: pick(users, number).headers })
  const post =
    (path: string, bodyOf: (number: number) => object): Action =>
    (client, number) => {
      const { headers } = pick(users, number)
      return client.send({ method: 'POST', path, headers, body: bodyOf(number) })
    }
  const agent = { name: 'Yield Scout', agentType: 'autonomous', supportedLayers: [10, 17] }
  const hooked = { ...agent, webhookUrl: 'https://hooks.example.com/agentcred' }
  const register = (body: object) => post('/v1/agents/register', () => body)
  const owner = () => pick(users, 0).wallet.publicKey
  return [
    { name: 'GET /agents', group: 'agents', act: get(() => '/v1/agents?limit=50') },
    { name: 'GET /agents/{id}', group: 'agents', act: get(() => `/v1/agents/${pick(agentIds, 0)}`) },
    {
      name: 'login, two requests',
      group: 'auth',
      requests: 2,
      act: (client, number) => logIn(client, pick(wallets, number)),
    },
    { name: 'POST /agents/register', group: 'agents', act: register(agent) },
    { name: 'the same with a webhook', group: 'agents', act: register(hooked) },
    {
      name: 'POST /agents/hire',
      group: 'agents',
      act: post('/v1/agents/hire', (number) => ({ agentId: pick(agentIds, number) })),
    },
    {
      name: 'POST /vault/stack',
      group: 'vault',
      act: post('/v1/vault/stack', () => ({ amount: 1_000_000_000, lockDays: 30 })),
    },
    { name: 'GET /reputation', group: 'reputation', act: get(() => `/v1/reputation?user_id=${owner()}`) },
    { name: 'GET /events', group: 'events', act: get(() => '/v1/events') },
    { name: 'GET /marketplace/stats', group: 'marketplace', act: get(() => '/v1/marketplace/stats') },
  ]
}

/** The rows that this part promises. */
export const subjects = (): string[] => [
  ...kindsOf({ users: [], wallets: [], agentIds: [] }).map(({ name }) => name),
  ...months(),
]

/** Runs one kind by itself: CPU measured, and what it asked of others as they counted it, for one action. */
async function sample(
  bench: Bench,
  database: Database,
  neighbours: Neighbours,
  { group, requests = 1, act }: Kind,
): Promise<Usage & { sql: number; rpc: number }> {
  const { origin, process: server } = await startWorker(bench, neighbours, group)
  const postgres = await postgresCpu(database)
  const client = createClient(origin, BURST.connections)
  await load(client, act, BURST)
  await neighbours.takeCounts()
  const before = { cpu: server.cpuMs(), postgres: postgres() }
  await load(client, act, BURST)
  const after = { cpu: server.cpuMs(), postgres: postgres() }
  const { sql, rpc, kvReads, kvWrites, queue } = await neighbours.takeCounts()
  client.close()
  await server.stop()
  const each = (total: number) => total / BURST.count
  return {
    requests,
    cpuMs: each(after.cpu - before.cpu),
    postgresCpuMs: each(after.postgres - before.postgres),
    sql: each(sql),
    rpc: each(rpc),
    kvReads: each(kvReads),
    kvWrites: each(kvWrites),
    queueMessages: each(queue),
  }
}

/** The CPU time of the whole server that a database is in. */
async function postgresCpu({ query }: Database): Promise<() => number> {
  const { rows } = await query('select pg_backend_pid() as pid')
  const server = parentOf(rows[0].pid)
  return () => cpuMsOf([server, ...descendantsOf(server).map(({ pid }) => pid)])
}

import { type Bench, type Neighbours, SERVICES, serversOf, startNeighbours } from '../harness/bench.ts'
import type { Action } from '../harness/load.ts'
import { alternate, CPU_ROUNDS, type Rounds, type Subject } from '../harness/measure.ts'
import { amount } from '../harness/quick.ts'
import { MEASURED_COLUMNS, measuredRows, ratioOf, type Section } from '../harness/report.ts'
import { MARKET, seedAgents } from '../harness/seed.ts'
import { countsOf, observe, startFastify, startWorker } from '../harness/subjects.ts'
import { plainWorker, prepare } from '../harness/workerd.ts'

const LIST = { path: '/v1/agents?limit=50' }
const FAR_ROUNDS: Rounds = {
  rounds: CPU_ROUNDS.rounds,
  count: amount(2_000, 128),
  warmUp: amount(1_000, 64),
  connections: 64,
}

/** GET /agents, 50 of MARKET, with the database near and 20 ms away. */
export async function agents(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('agents')
  await seedAgents(database, MARKET)
  const neighbours = await startNeighbours({ databaseUrl: database.url, delayMs: 20 })
  const near = await startSubjects(bench, neighbours, { url: database.url, isFar: false })
  const nearMeasured = await alternate(near, CPU_ROUNDS)
  const roundTrips = await countRoundTrips(near, neighbours)
  const delayed = new URL(database.url)
  delayed.host = neighbours.ready.delayedPostgres ?? ''
  const far = await startSubjects(bench, neighbours, { url: delayed.href, isFar: true })
  const farMeasured = await alternate(far, FAR_ROUNDS)
  return [
    {
      title: `GET /agents, 50 of ${MARKET.toLocaleString('en')}`,
      columns: MEASURED_COLUMNS,
      rows: measuredRows(nearMeasured, roundTrips),
      goals: [
        {
          what: 'CPU, ours : bare Worker',
          measured: ratioOf(nearMeasured, 'cpuMs', OURS, BARE),
          limit: 1.25,
          is: 'at most',
        },
      ],
      notes: [`CPU, ours : Fastify ${ratioOf(nearMeasured, 'cpuMs', OURS, FASTIFY).toFixed(2)}`],
    },
    {
      title: 'GET /agents, database 20 ms away, 64 connections',
      columns: MEASURED_COLUMNS,
      rows: measuredRows(farMeasured, roundTrips),
      goals: [
        {
          what: 'requests a second, ours : bare Worker',
          measured: ratioOf(farMeasured, 'perSecond', OURS, BARE),
          limit: 0.9,
          is: 'at least',
        },
      ],
    },
  ]
}

const OURS = 'agents Worker'
const BARE = 'bare Worker'
const FASTIFY = 'Fastify + pg'

/** The rows that this part promises. */
export const subjects = (): string[] => [OURS, BARE, FASTIFY]

/** Starts our Worker, asks it once to learn its statement, and starts the peers with that. */
async function startSubjects(
  bench: Bench,
  neighbours: Neighbours,
  { url, isFar }: { url: string; isFar: boolean },
): Promise<Subject[]> {
  const worker = await startWorker(bench, neighbours, 'agents', { isFar })
  const { counts } = await observe(worker, neighbours, LIST)
  const [statement] = counts.statements
  if (!statement) throw new Error('the Worker sent no statement')
  const bareWorker = await plainWorker(
    'bare',
    'test/bench/peers/bare-worker.ts',
    {
      DATABASE_URL: { text: bench.settings.DATABASE_URL ?? '' },
      QUERY: { text: statement.query },
      PARAMS: { text: JSON.stringify(statement.params) },
    },
    SERVICES.outbound,
  )
  const prepared = await prepare({ workers: [bareWorker], servers: serversOf(neighbours, isFar) })
  const bare = await prepared.start()
  const fastify = await startFastify(bench, url, { list: statement, writes: [] })
  const list: Action = (client) => client.send(LIST)
  return [
    { name: OURS, ...worker, action: list },
    { name: BARE, origin: bare.origin, process: bare, action: list },
    { name: FASTIFY, ...fastify, action: (client) => client.send({ path: '/agents' }) },
  ]
}

/** SQL requests of one action of each Worker; Fastify's statements do not pass the Neon server: one each. */
async function countRoundTrips(subjects: Subject[], neighbours: Neighbours): Promise<Record<string, number>> {
  const counted: Record<string, number> = { [FASTIFY]: 1 }
  for (const subject of subjects.filter(({ name }) => name !== FASTIFY)) {
    counted[subject.name] = (await countsOf(subject, neighbours, subject.action, 0)).sql
  }
  return counted
}

import { type Bench, type Neighbours, SERVICES, serversOf, startNeighbours } from '../harness/bench.ts'
import { createClient, expectSuccess } from '../harness/load.ts'
import { alternate, CPU_ROUNDS, type Rounds, type Subject } from '../harness/measure.ts'
import { startScript } from '../harness/process.ts'
import { MEASURED_COLUMNS, measuredRows, ratioOf, type Section } from '../harness/report.ts'
import { seedAgents } from '../harness/seed.ts'
import { ourWorker, plainWorker, prepare } from '../harness/workerd.ts'
import type { FastifyInput, FastifyReady } from '../peers/inputs.ts'

const LIST = { path: '/v1/agents?limit=50' }
const FAR_ROUNDS: Rounds = { rounds: 5, count: 2_000, warmUp: 1_000, connections: 64 }

/** GET /agents, 50 of 20,000, with the database near and 20 ms away. */
export async function agents(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('agents')
  await seedAgents(database, 20_000)
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
      title: 'GET /agents, 50 of 20,000',
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

/** Starts our Worker, asks it once to learn its statement, and starts the peers with that. */
async function startSubjects(
  bench: Bench,
  neighbours: Neighbours,
  { url, isFar }: { url: string; isFar: boolean },
): Promise<Subject[]> {
  const servers = serversOf(neighbours, isFar)
  const worker = await ourWorker('agents', bench.settings, SERVICES)
  const ours = await (await prepare({ workers: [worker], servers })).start()
  const client = createClient(ours.origin, 1)
  expectSuccess(await client.send(LIST))
  client.close()
  const { statement } = await neighbours.takeCounts()
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
  const bare = await (await prepare({ workers: [bareWorker], servers })).start()
  const fastify = await startScript<FastifyReady>('peers/fastify.ts', {
    databaseUrl: url,
    jwks: bench.keys.SESSION_JWKS,
    list: statement,
    writes: [],
  } satisfies FastifyInput)
  return [
    { name: OURS, origin: ours.origin, process: ours, action: (client) => client.send(LIST) },
    { name: BARE, origin: bare.origin, process: bare, action: (client) => client.send(LIST) },
    {
      name: FASTIFY,
      origin: fastify.ready.origin,
      process: fastify,
      action: (client) => client.send({ path: '/agents' }),
    },
  ]
}

/** SQL requests of one action of each Worker; Fastify's statements do not pass the endpoint: one each. */
async function countRoundTrips(subjects: Subject[], neighbours: Neighbours): Promise<Record<string, number>> {
  const counted: Record<string, number> = { [FASTIFY]: 1 }
  for (const { name, origin, action } of subjects.filter(({ name }) => name !== FASTIFY)) {
    await neighbours.takeCounts()
    const client = createClient(origin, 1)
    await action(client, 0)
    client.close()
    counted[name] = (await neighbours.takeCounts()).sql
  }
  return counted
}

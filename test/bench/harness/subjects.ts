import type { Counts } from '../neighbours.ts'
import type { Step } from '../peers/calls-worker.ts'
import type { FastifyInput, PeerReady } from '../peers/inputs.ts'
import { type Bench, type Neighbours, SERVICES, serversOf } from './bench.ts'
import { type Action, type Call, type Client, createClient, expectSuccess } from './load.ts'
import { type Running, startScript } from './process.ts'
import { ourWorker, plainWorker, prepare } from './workerd.ts'

/** A Worker in a workerd of its own. */
export type StartedWorker = { origin: string; process: Running }

export async function startWorker(
  bench: Bench,
  neighbours: Neighbours,
  group: string,
  { isFar = false } = {},
): Promise<StartedWorker> {
  const settings = { ...bench.settings, ...neighbours.ready.vaultSettings }
  const worker = await ourWorker(group, settings, SERVICES)
  const prepared = await prepare({ workers: [worker], servers: serversOf(neighbours, isFar) })
  const started = await prepared.start()
  return { origin: started.origin, process: started }
}

/** Starts a Worker that only makes the calls of a Worker of AgentCred, by the request's method. */
export async function startCalls(
  bench: Bench,
  neighbours: Neighbours,
  steps: Record<string, Step[]>,
): Promise<StartedWorker> {
  const { DATABASE_URL = '', SOLANA_RPC_URL = '' } = bench.settings
  const worker = await plainWorker(
    'calls',
    'test/bench/peers/calls-worker.ts',
    {
      DATABASE_URL: { text: DATABASE_URL },
      SOLANA_RPC_URL: { text: SOLANA_RPC_URL },
      STEPS: { text: JSON.stringify(steps) },
      NONCES: { kv: SERVICES.kv },
    },
    SERVICES.outbound,
  )
  const prepared = await prepare({ workers: [worker], servers: serversOf(neighbours) })
  const started = await prepared.start()
  return { origin: started.origin, process: started }
}

/** How that Worker is called in the tables. */
export const CALLS = 'the same calls alone'

/** Starts the Fastify peer over a database. */
export async function startFastify(
  bench: Bench,
  databaseUrl: string,
  serves: Pick<FastifyInput, 'list' | 'writes'>,
): Promise<StartedWorker> {
  const input: FastifyInput = { databaseUrl, jwks: bench.keys.SESSION_JWKS, ...serves }
  const started = await startScript<PeerReady>('peers/fastify.ts', input)
  return { origin: started.ready.origin, process: started }
}

/** Runs work with a client of one connection. */
export async function withClient<T>(origin: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient(origin, 1)
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

/** Sends one request. Returns its answer, and the Worker's requests to the neighbours for it. */
export async function observe(
  { origin }: Pick<StartedWorker, 'origin'>,
  neighbours: Neighbours,
  call: Call,
): Promise<{ body: Record<string, unknown>; counts: Counts }> {
  await neighbours.takeCounts()
  const { body } = await withClient(origin, async (client) => expectSuccess(await client.send(call)))
  return { body: JSON.parse(body.toString()), counts: await neighbours.takeCounts() }
}

/** What one action asks of the neighbours. */
export async function countsOf(
  { origin }: Pick<StartedWorker, 'origin'>,
  neighbours: Neighbours,
  action: Action,
  number: number,
): Promise<Counts> {
  await neighbours.takeCounts()
  await withClient(origin, async (client) => expectSuccess(await action(client, number)))
  return neighbours.takeCounts()
}

import { setTimeout } from 'node:timers/promises'
import { sha256Hex } from '../../../lib/crypto/digest.ts'
import { type Bench, type Database, SERVICES, serversOf, startNeighbours } from '../harness/bench.ts'
import { createClient, expectSuccess, median, quantile } from '../harness/load.ts'
import { type Script, startScript } from '../harness/process.ts'
import { amount } from '../harness/quick.ts'
import type { Section } from '../harness/report.ts'
import { ourWorker, plainWorker, prepare } from '../harness/workerd.ts'
import type { Received, ReceiverReady } from '../receiver.ts'

const AGENTS = 100
const BURST = 1_000
const BURSTS = amount(7, 2)
const SINGLES = amount(300, 20)
/** Of a hundred endpoints so many answer, where the others are dead; each gets so many events. */
const LIVE = 10
const EACH = 10
const ROUNDS = amount(15, 3)
const TIMEOUT_MS = 60_000

/**
 * A burst of 1,000 events over 100 agents, and events one by one, to a receiver in a process of its own; and
 * what ten live endpoints wait while ninety others are dead.
 */
export async function webhooks(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('webhooks')
  const agentIds = await seedHooks(database)
  const receiver = await startScript<ReceiverReady>('receiver.ts', {})
  const origin = await startJobs(bench, database, receiver.ready.address)
  const client = createClient(origin, 1)
  /** Sends what is due to these agents; when each webhook arrived, in milliseconds after the nudge. */
  const deliver = async (nudged: readonly string[], count: number): Promise<number[]> => {
    await receiver.ask({ forget: true })
    const startedAt = performance.timeOrigin + performance.now()
    expectSuccess(await client.send({ method: 'POST', path: '/nudge', body: nudged }))
    const arrivals = await untilReceived(receiver, count)
    return arrivals.map((at) => at - startedAt)
  }
  try {
    const bursts: number[][] = []
    for (let burst = 0; burst <= BURSTS; burst++) {
      await insertDue(database, agentIds, BURST / AGENTS)
      const arrivals = await deliver(agentIds, BURST)
      // The first warms up.
      if (burst > 0) bursts.push(arrivals)
      await untilRecorded(database)
    }
    const singles: number[] = []
    for (let single = 0; single < SINGLES; single++) {
      const agentId = agentIds[single % AGENTS] ?? ''
      await insertDue(database, [agentId], 1)
      singles.push(...(await deliver([agentId], 1)))
      await untilRecorded(database)
    }
    const live = agentIds.slice(0, LIVE)
    const dead = await seedHooks(database, 'dead', AGENTS - LIVE)
    const waits: Record<string, number[]> = { alone: [], besideDead: [] }
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, nudged] of [
        ['alone', live],
        ['besideDead', [...dead, ...live]],
      ] as const) {
        await insertDue(database, nudged, EACH)
        const arrivals = await deliver(nudged, LIVE * EACH)
        if (round > 0) waits[name]?.push(...arrivals)
        await untilRecorded(database, live)
      }
    }
    return [sectionOf(bursts, singles), isolation(waits.alone ?? [], waits.besideDead ?? [])]
  } finally {
    client.close()
  }
}

function sectionOf(bursts: number[][], singles: number[]): Section {
  const perSecond = median(bursts.map((arrivals) => (BURST / Math.max(...arrivals)) * 1000))
  const all = bursts.flat()
  return {
    title: `Webhooks: a burst of ${BURST.toLocaleString('en')} over ${AGENTS} agents`,
    columns: ['', 'a second', 'p50 ms', 'p99 ms'],
    rows: [
      ['burst, from the nudges to arrival', perSecond, quantile(all, 0.5), quantile(all, 0.99)],
      ['one event, from its nudge to arrival', '', quantile(singles, 0.5), quantile(singles, 0.99)],
    ],
    goals: [{ what: 'deliveries a second', measured: perSecond, limit: 1_000, is: 'at least' }],
    notes: [`medians of ${bursts.length} bursts; the last arrival ends a burst`],
  }
}

/** What live endpoints wait for theirs, from the nudges to arrival. */
function isolation(alone: number[], besideDead: number[]): Section {
  const p99 = (waits: number[]) => quantile(waits, 0.99)
  return {
    title: `Webhooks: ${LIVE} live endpoints, ${EACH} events each`,
    columns: ['', 'p50 ms', 'p99 ms'],
    rows: [
      ['none dead', quantile(alone, 0.5), p99(alone)],
      [`${AGENTS - LIVE} others never answer`, quantile(besideDead, 0.5), p99(besideDead)],
    ],
    goals: [
      {
        what: 'p99, beside dead endpoints : none dead',
        measured: p99(besideDead) / p99(alone),
        limit: 2,
        is: 'at most',
      },
    ],
    notes: [`${ROUNDS} rounds; the dead get as many events each, and hold their connections`],
  }
}

/** The jobs Worker with its queue, its database and the receiver. */
async function startJobs(bench: Bench, database: Database, receiver: string): Promise<string> {
  const neighbours = await startNeighbours({ databaseUrl: database.url })
  const services = { ...SERVICES, outbound: 'router', queue: 'dispatch', loneQueue: 'dispatch-lone' }
  const jobs = await ourWorker('jobs', bench.settings, services)
  const queue = async (name: string, queueName: string, size: number) => ({
    ...(await plainWorker(name, 'test/bench/peers/queue-worker.ts', {
      JOBS: { service: 'jobs' },
      QUEUE: { text: queueName },
      MAX_BATCH_SIZE: { text: String(size) },
    })),
    compatibilityFlags: ['experimental', 'service_binding_extra_handlers'],
  })
  const dispatch = await queue('dispatch', 'agentcred-deliveries', 10)
  const dispatchLone = await queue('dispatch-lone', 'agentcred-lone-deliveries', 1)
  const router = await plainWorker('router', 'test/bench/peers/router-worker.ts', {
    OUTSIDE: { service: 'outside' },
    RECEIVER: { service: 'receiver' },
  })
  const servers = { ...serversOf(neighbours), receiver }
  const prepared = await prepare({ workers: [dispatch, dispatchLone, jobs, router], servers })
  return (await prepared.start()).origin
}

/**
 * Agents whose endpoints have answered before, each at a host of its own; those called `dead` answer no more.
 * Returns their ids.
 */
async function seedHooks(
  { query }: Database,
  kind: 'hooks' | 'dead' = 'hooks',
  count = AGENTS,
): Promise<string[]> {
  const ids: string[] = []
  for (let n = 1; n <= count; n++) {
    const [wallet, url] = [
      `${kind}${String(n).padStart(38, 'x')}`,
      `https://${kind}-${n}.example.com/agentcred`,
    ]
    const { rows } = await query(
      `insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, webhook_url,
         webhook_set_at, status, registered_at)
       values (uuidv7(), $1, 'Hooked', 'autonomous', '{10}', 'flat', 1, $2, now(), 'active', now())
       returning id`,
      [wallet, url],
    )
    ids.push(rows[0].id)
    await query(
      `insert into webhook_targets (wallet, url_hash, proven_at, is_healthy, last_attempt_at)
       values ($1, $2, now(), $3, now())`,
      [wallet, await sha256Hex(url), kind === 'hooks'],
    )
  }
  return ids
}

/** Events that are due to each of these agents, as a hire makes them. */
const insertDue = ({ query }: Database, agentIds: readonly string[], each: number) =>
  query(
    `with event as (
       insert into events (id, type, occurred_at, recorded_at, wallet, agent_id, data)
       select uuidv7(), 'hire.created', now(), now(), agents.pubkey, agents.id,
         json_build_object('hireId', uuidv7(), 'agentId', agents.id, 'wallet', agents.pubkey,
           'layersEnabled', array[10], 'budgetLimit', 5000000000, 'autoRenew', false, 'status', 'active',
           'hiredAt', '2026-11-22T00:00:00.000Z', 'expiresAt', '2026-12-22T00:00:00.000Z')
       from agents, generate_series(1, $2::int) where agents.id = any ($1::uuid[])
       returning id, agent_id, wallet)
     insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at)
     select agent_id, id, wallet, now(), now() from event`,
    [agentIds, each],
  )

async function untilReceived(receiver: Script<ReceiverReady>, count: number): Promise<number[]> {
  const until = performance.now() + TIMEOUT_MS
  for (;;) {
    const { arrivals } = await receiver.ask<Received>({})
    if (arrivals.length >= count) return arrivals
    if (performance.now() > until) throw new Error(`${arrivals.length} of ${count} webhooks arrived`)
    await setTimeout(count === 1 ? 2 : 20)
  }
}

/** Until nothing waits any more; with `among` only for these. */
async function untilRecorded({ query }: Database, among: string[] | null = null): Promise<void> {
  for (let look = 0; look < 1_000; look++) {
    const { rows } = await query(
      `select exists (select from deliveries where status = 'pending' and ($1::uuid[] is null or endpoint_id = any ($1))) as waits`,
      [among],
    )
    if (!rows[0].waits) return
    await setTimeout(10)
  }
  throw new Error('deliveries are still pending')
}

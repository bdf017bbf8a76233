import { setTimeout } from 'node:timers/promises'
import { sha256Hex } from '../../../lib/keys/bytes.ts'
import type { Received, ReceiverReady } from '../receiver.ts'
import { type Bench, type Neighbours, SERVICES, serversOf, startNeighbours } from './bench.ts'
import { createClient, expectSuccess } from './load.ts'
import { startScript } from './process.ts'
import { configOf, ourWorker, plainWorker, prepare } from './workerd.ts'

const TIMEOUT_MS = 60_000

/** A round of deliveries: each webhook's arrival, in milliseconds after the notification, and counts. */
type Delivered = { waits: number[]; statements: number; requests: number }

/** The jobs Worker with its queues, a database of agents with endpoints, and a receiver of webhooks. */
export async function openWebhooks(bench: Bench, name: string) {
  const { url: databaseUrl, query } = await bench.createDatabase(name)
  const neighbours = await startNeighbours({ databaseUrl })
  const receiver = await startScript<ReceiverReady>('receiver.ts', {})
  const client = createClient(await startJobs(bench, neighbours, receiver.ready.address), 1)

  async function untilReceived(live: number, dead: number): Promise<Received> {
    const until = performance.now() + TIMEOUT_MS
    for (;;) {
      const received = await receiver.ask<Received>({})
      if (received.arrivals.length >= live && received.unanswered >= dead) return received
      if (performance.now() > until)
        throw new Error(`${received.arrivals.length} of ${live} webhooks arrived`)
      await setTimeout(live === 1 ? 2 : 20)
    }
  }

  return {
    /**
     * Makes agents, each with an endpoint at its own host that has answered before. Dead endpoints have
     * failed for an hour, and never answer again. Returns the agents' ids.
     */
    async seed(kind: 'live' | 'dead', count: number): Promise<string[]> {
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
          `insert into webhook_targets (wallet, url_hash, host, proven_at, is_healthy, failing_since, last_attempt_at)
           values ($1, $2, split_part($4, '/', 3), now(), $3, case when not $3 then now() - interval '1 hour' end, now())`,
          [wallet, await sha256Hex(url), kind === 'live', url],
        )
      }
      return ids
    },

    /** Enqueues events for each of these agents, as a hire does. */
    insertDue: (agentIds: readonly string[], each: number) =>
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
      ),

    /** Notifies agents, and waits until so many webhooks have come to live and to dead endpoints. */
    async deliver(agentIds: readonly string[], live: number, dead = 0): Promise<Delivered> {
      await receiver.ask({ forget: true })
      await neighbours.takeCounts()
      const startedAt = performance.timeOrigin + performance.now()
      expectSuccess(await client.send({ method: 'POST', path: '/notify', body: agentIds }))
      const { arrivals, unanswered } = await untilReceived(live, dead)
      const { sql: statements } = await neighbours.takeCounts()
      return {
        waits: arrivals.map((at) => at - startedAt),
        statements,
        requests: arrivals.length + unanswered,
      }
    },

    /** Waits until nothing is pending for these agents. */
    async untilRecorded(agentIds: readonly string[]): Promise<void> {
      for (let attempt = 0; attempt < 1_000; attempt++) {
        const { rows } = await query(
          `select exists (select from deliveries where status = 'pending' and endpoint_id = any ($1)) as waits`,
          [agentIds],
        )
        if (!rows[0].waits) return
        await setTimeout(10)
      }
      throw new Error('deliveries are still pending')
    },

    /** Lets all that fails be attempted again at once. */
    endPauses: () => query('update webhook_targets set held_until = null where held_until is not null'),

    close: () => client.close(),
  }
}

/** Starts the jobs Worker with its queues and the Clock. Returns the address for notifications. */
async function startJobs(bench: Bench, neighbours: Neighbours, receiver: string): Promise<string> {
  const { kv } = SERVICES
  const jobs = await ourWorker('jobs', bench.settings, { outbound: 'router', kv })
  const queue = async ([name, { maxBatchSize }]: [string, Consumer]) => ({
    ...(await plainWorker(name, 'test/bench/peers/queue-worker.ts', {
      JOBS: { service: 'jobs' },
      QUEUE: { text: name },
      MAX_BATCH_SIZE: { text: String(maxBatchSize) },
    })),
    compatibilityFlags: ['experimental', 'service_binding_extra_handlers'],
  })
  const { queueProducers, queueConsumers } = configOf('jobs').options as Queues
  const queues = await Promise.all(Object.entries(queueConsumers).map(queue))
  // The first of a setup gets what comes to its socket.
  const isOfDeliveries = ({ name }: { name: string }) => name === queueProducers.DELIVERIES.queueName
  queues.sort((a, b) => Number(isOfDeliveries(b)) - Number(isOfDeliveries(a)))
  const router = await plainWorker('router', 'test/bench/peers/router-worker.ts', {
    OUTSIDE: { service: 'outside' },
    RECEIVER: { service: 'receiver' },
  })
  const servers = { ...serversOf(neighbours), receiver }
  const prepared = await prepare({ workers: [...queues, jobs, router], servers })
  return (await prepared.start()).origin
}

type Consumer = { maxBatchSize: number }
/** The queues of the jobs Worker in wrangler's reading; its published types are incomplete. */
type Queues = {
  queueProducers: { DELIVERIES: { queueName: string } }
  queueConsumers: Record<string, Consumer>
}

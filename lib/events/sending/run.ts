import { reasonOf } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { logError, logInfo } from '../../runtime/log.ts'
import { MAX_PER_ENDPOINT, PATIENCE_MS, SENDING_MS, SENT_AT_ONCE } from '../limits.ts'
import { isPrompt } from '../rules.ts'
import { attempt } from './attempt.ts'
import { gathered, runConcurrently } from './concurrency.ts'
import type { DeliverDeps } from './deps.ts'
import { destinationOf } from './destinations.ts'
import type { Leased, LeasedDelivery } from './lease.ts'
import { type Ended, recordEnded } from './record.ts'
import { giveBack } from './run-queries.ts'

/** The precision of the stored time of a healthy destination's last attempt. */
const NOTED_EVERY_MS = 3_600_000

/**
 * Attempts leased deliveries and records their results, several in one statement. When endpoints stop
 * answering, it returns the unsent deliveries for another run without these endpoints. If the run is cut off,
 * the rest is due again when the lease ends. So delivery is at least once, with the same id.
 * @throws the first error of the keys or the database, after all other work is done
 */
export async function deliverBatch(
  deps: DeliverDeps,
  batch: Leased,
): Promise<{ delivered: number; failed: number; left: number }> {
  const total = { delivered: 0, failed: 0, left: 0 }
  const errors: unknown[] = []
  const safely = (work: () => Promise<unknown>): Promise<unknown> =>
    work().catch((error) => errors.push(error))
  const results = gathered<Ended>(async (ended) => {
    await safely(async () => {
      const { delivered, failed } = await record(deps, batch, ended)
      total.delivered += delivered
      total.failed += failed
    })
  })
  const unsent: LeasedDelivery[] = []
  const underWay = new Set<LeasedDelivery>()
  const unhealthy = new Set<string>()
  const send = async (delivery: LeasedDelivery) => {
    const { endpoint } = delivery
    const isLate = deps.clock().getTime() > batch.leasedAt.getTime() + SENDING_MS
    if (unhealthy.has(endpoint.id) || isLate) return unsent.push(delivery)
    underWay.add(delivery)
    const result = await attempt(deps, endpoint, delivery).finally(() => underWay.delete(delivery))
    if (!isPrompt(result)) unhealthy.add(endpoint.id)
    return results.add({ delivery, result })
  }
  const { left, ended } = await runConcurrently(
    batch.deliveries,
    { atOnce: SENT_AT_ONCE, patienceMs: PATIENCE_MS },
    (delivery) => safely(() => send(delivery)),
  )
  unsent.push(...left)
  total.left = unsent.length
  const allRecorded = ended.then(results.empty)
  // If nothing waits behind slow endpoints, first record the failures, so that the next run knows them.
  if (left.length === 0) await allRecorded
  await safely(() => leave(deps, batch, { unsent, unanswered: [...underWay] }))
  await allRecorded
  // Deliveries without a recorded result are due when the lease ends.
  if (errors.length > 0) throw errors[0]
  await deps.leases.end(batch.lease)
  return total
}

/**
 * Returns unsent deliveries. Enqueues their endpoints, and endpoints that may have more due deliveries.
 * @param unanswered deliveries whose attempts still run and delay the rest
 */
async function leave(
  deps: DeliverDeps,
  { lease, deliveries }: Leased,
  { unsent, unanswered }: { unsent: LeasedDelivery[]; unanswered: LeasedDelivery[] },
) {
  if (unsent.length > 0) {
    const slow = await Promise.all(
      unanswered.map(async ({ endpoint: { wallet, url } }) => ({ wallet, ...(await destinationOf(url)) })),
    )
    await giveBack(deps.db, { lease, unsent, slow, now: deps.clock() })
  }
  const waiting = new Set([...unsent.map(({ endpoint }) => endpoint.id), ...fullEndpoints(deliveries)])
  if (waiting.size > 0) await deps.nudgeNow([...waiting])
}

/** Returns the endpoints with the most leased deliveries possible: more may be due. */
function fullEndpoints(deliveries: LeasedDelivery[]): string[] {
  const byEndpoint = Map.groupBy(deliveries, ({ endpoint }) => endpoint.id)
  return [...byEndpoint].flatMap(([id, { length }]) => (length >= MAX_PER_ENDPOINT ? [id] : []))
}

/** Records prompt 2xx answers in one statement, and other results in one statement for each endpoint. */
async function record(
  deps: DeliverDeps,
  { lease, leasedAt }: Leased,
  ended: Ended[],
): Promise<{ delivered: number; failed: number }> {
  const now = deps.clock()
  const delivered = ended.flatMap(({ delivery: { id, endpoint }, result }) =>
    'code' in result && isPrompt(result)
      ? [
          {
            endpoint_id: endpoint.id,
            event_id: id,
            response_code: result.code,
            duration_ms: result.durationMs,
          },
        ]
      : [],
  )
  if (delivered.length > 0) {
    const notedBefore = new Date(now.getTime() - NOTED_EVERY_MS)
    await postgres.recordDelivered.call(deps.db, { lease, leasedAt, delivered, notedBefore })
  }
  const total = { delivered: delivered.length, failed: 0 }
  const others = ended.filter(({ result }) => !isPrompt(result))
  for (const group of Map.groupBy(others, ({ delivery }) => delivery.endpoint.id).values()) {
    const outcome = await recordEnded(deps, { lease, leasedAt }, group)
    total.delivered += outcome.delivered
    total.failed += outcome.failed
  }
  return total
}

/**
 * Attempts the leased deliveries of a run and logs the results. Never rejects: deliveries that are cut off
 * become due again when their lease ends.
 */
export async function attemptBatch(deps: DeliverDeps, batch: Leased): Promise<void> {
  if (batch.deliveries.length === 0) return
  try {
    logInfo({ job: 'deliver', ...(await deliverBatch(deps, batch)) })
  } catch (error) {
    logError({ job: 'deliver', reason: reasonOf(error) })
  }
}

import { reasonOf } from '../../db/failures.ts'
import { logError, logInfo } from '../../runtime/log.ts'
import { AT_ONCE, PROMPT_MS, SENDING_MS } from '../limits.ts'
import { isPrompt, isSuccess } from '../rules.ts'
import { attempt } from './attempt.ts'
import { gathered, runConcurrently } from './concurrency.ts'
import type { DeliverDeps } from './deps.ts'
import type { Leased, LeasedDelivery } from './lease.ts'
import { type Ended, type Outcome, record } from './record.ts'
import { askForProof } from './verification.ts'

/**
 * Attempts the leased deliveries of a run and logs the counts. Never rejects: deliveries that are cut off
 * become due again when their lease ends, and the Clock knows that time. So delivery is at least once, with
 * the same id.
 */
export async function attemptLeased(deps: DeliverDeps, leased: Leased): Promise<void> {
  const [first] = leased.deliveries
  if (!first) return
  const job = leased.isShared ? { job: 'deliver' } : { job: 'deliver', endpointId: first.endpoint.id }
  try {
    logInfo({ ...job, ...(await (leased.isShared ? deliverBatch : deliver)(deps, leased)) })
  } catch (error) {
    logError({ ...job, reason: reasonOf(error) })
  }
}

/**
 * Attempts leased deliveries to one endpoint in parallel, and records the results in one statement. A new
 * destination gets a request for a proof instead. A 2xx to it leaves the delivery due; any other answer is a
 * failed attempt of the delivery.
 */
export async function deliver(deps: DeliverDeps, leased: Leased): Promise<Outcome> {
  const ended = await Promise.all(leased.deliveries.map((delivery) => send(deps, delivery)))
  const outcome = await record(deps, leased, ended)
  await deps.leases.end(leased.lease)
  return outcome
}

async function send(deps: DeliverDeps, delivery: LeasedDelivery): Promise<Ended> {
  const { endpoint, challenge } = delivery
  if (challenge === null) return { delivery, result: await attempt(deps, endpoint, delivery) }
  const { unconfirmedReason, ...result } = await askForProof(deps, endpoint, challenge)
  return { delivery, result, ...(isSuccess(result) && { answer: { unconfirmedReason } }) }
}

/**
 * Attempts leased deliveries to several healthy endpoints and records their results, several in one
 * statement. When endpoints stop answering, it releases the unsent deliveries for another run without these
 * endpoints.
 * @throws the first error of the keys or the database, after all other work is done
 */
export async function deliverBatch(
  deps: DeliverDeps,
  leased: Leased,
): Promise<{ delivered: number; failed: number; left: number }> {
  const total = { delivered: 0, failed: 0, left: 0 }
  const errors: unknown[] = []
  const safely = (work: () => Promise<unknown>): Promise<unknown> =>
    work().catch((error) => errors.push(error))
  const results = gathered<Ended>(async (ended) => {
    await safely(async () => {
      const { delivered, failed } = await record(deps, leased, ended)
      total.delivered += delivered
      total.failed += failed
    })
  })
  const unsent: LeasedDelivery[] = []
  const underWay = new Set<LeasedDelivery>()
  const unhealthy = new Set<string>()
  const sendOrLeave = async (delivery: LeasedDelivery) => {
    const { endpoint } = delivery
    const isLate = deps.clock().getTime() > leased.leasedAt.getTime() + SENDING_MS
    if (unhealthy.has(endpoint.id) || isLate) return unsent.push(delivery)
    underWay.add(delivery)
    const result = await attempt(deps, endpoint, delivery).finally(() => underWay.delete(delivery))
    if (!isPrompt(result)) unhealthy.add(endpoint.id)
    return results.add({ delivery, result })
  }
  const { left, ended } = await runConcurrently(
    leased.deliveries,
    { atOnce: AT_ONCE, patienceMs: PROMPT_MS },
    (delivery) => safely(() => sendOrLeave(delivery)),
  )
  unsent.push(...left)
  total.left = unsent.length
  const allRecorded = ended.then(results.empty)
  // If nothing waits behind slow endpoints, first record the failures, so that the next run knows them.
  if (left.length === 0) await allRecorded
  await safely(() => releaseUnsent(deps, leased, { unsent, unanswered: [...underWay] }))
  await allRecorded
  // Deliveries without a recorded result are due when the lease ends.
  if (errors.length > 0) throw errors[0]
  await deps.leases.end(leased.lease)
  return total
}

/**
 * Ends the lease of unsent deliveries, so that they are due now. Enqueues their endpoints, and endpoints that
 * may have more due deliveries.
 * @param unanswered deliveries whose attempts still run and delay the rest. Their destinations share no run
 *   until they answer promptly
 */
async function releaseUnsent(
  deps: DeliverDeps,
  leased: Leased,
  { unsent, unanswered }: { unsent: LeasedDelivery[]; unanswered: LeasedDelivery[] },
) {
  if (unsent.length > 0)
    await record(deps, leased, [
      ...unsent.map((delivery) => ({ delivery, without: 'unsent' as const })),
      ...unanswered.map((delivery) => ({ delivery, without: 'unanswered' as const })),
    ])
  const waiting = new Set([...unsent.map(({ endpoint }) => endpoint.id), ...fullEndpoints(leased.deliveries)])
  if (waiting.size > 0) await deps.enqueue([...waiting])
}

/** Returns the endpoints with the most leased deliveries possible: more may be due. */
function fullEndpoints(deliveries: LeasedDelivery[]): string[] {
  const byEndpoint = Map.groupBy(deliveries, ({ endpoint }) => endpoint.id)
  return [...byEndpoint].flatMap(([id, { length }]) => (length >= AT_ONCE ? [id] : []))
}

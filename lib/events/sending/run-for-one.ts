import { reasonOf } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { logError, logInfo } from '../../runtime/log.ts'
import type { Endpoint } from '../all-endpoint-queries.ts'
import { isPrompt, isSuccess } from '../rules.ts'
import { attempt } from './attempt.ts'
import type { DeliverDeps } from './deps.ts'
import { destinationOf, dueDestinationOf } from './destinations.ts'
import { type Leased, type LeasedDelivery, leaseDeliveries } from './lease.ts'
import { type Outcome, recordEnded } from './record.ts'
import { askForProof } from './verification.ts'

/**
 * Attempts leased deliveries in parallel, and records each as delivered, due again by the schedule, or given
 * up. If the run is cut off, they are due again when the lease ends, and the Clock knows that time. So
 * delivery is at least once, with the same id. A new destination gets a request for a proof instead. A 2xx to
 * it leaves the delivery due; any other answer is a failed attempt of the delivery.
 */
export async function deliver(deps: DeliverDeps, leased: Leased): Promise<Outcome> {
  const outcome = await send(deps, leased)
  await deps.leases.end(leased.lease)
  return outcome
}

async function send(deps: DeliverDeps, leased: Leased): Promise<Outcome> {
  const [first] = leased.deliveries
  if (first && first.challenge !== null) return sendRequest(deps, leased, first, first.challenge)
  const ended = await Promise.all(
    leased.deliveries.map(async (delivery) => ({
      delivery,
      result: await attempt(deps, delivery.endpoint, delivery),
    })),
  )
  return recordEnded(deps, leased, ended)
}

async function sendRequest(
  deps: DeliverDeps,
  leased: Leased,
  delivery: LeasedDelivery,
  challenge: string,
): Promise<Outcome> {
  const { id, wallet, url } = delivery.endpoint
  const { unconfirmedReason, ...result } = await askForProof(deps, delivery.endpoint, challenge)
  if (!isSuccess(result)) return recordEnded(deps, leased, [{ delivery, result }])
  const { lease, leasedAt } = leased
  const { nudges } = await postgres.recordVerification.call(deps.db, {
    ...{ endpointId: id, wallet, url, urlHash: (await destinationOf(url)).urlHash, lease, leasedAt },
    eventId: delivery.id,
    unconfirmedReason: unconfirmedReason ?? null,
    isHealthy: unconfirmedReason === undefined && isPrompt(result),
    now: deps.clock(),
  })
  await deps.nudgeNow(nudges)
  return { delivered: 0, failed: 0 }
}

/**
 * Attempts leased deliveries and logs the results. Never rejects: deliveries that are cut off become due
 * again when their lease ends.
 */
export async function attemptLeased(deps: DeliverDeps, leased: Leased): Promise<void> {
  const endpointId = leased.deliveries[0]?.endpoint.id
  try {
    logInfo({ job: 'deliver', endpointId, ...(await deliver(deps, leased)) })
  } catch (error) {
    logError({ job: 'deliver', endpointId, reason: reasonOf(error) })
  }
}

/** Serves one webhook endpoint. It logs errors, so that other endpoints are still served. */
export async function serve(deps: DeliverDeps, endpoint: Pick<Endpoint, 'id' | 'url'>): Promise<void> {
  try {
    const leased = await leaseDeliveries(deps, await dueDestinationOf(endpoint))
    if (leased) await attemptLeased(deps, leased)
  } catch (error) {
    logError({ job: 'deliver', endpointId: endpoint.id, reason: reasonOf(error) })
  }
}

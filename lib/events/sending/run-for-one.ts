import { reasonOf } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { logError, logInfo } from '../../runtime/log.ts'
import type { Endpoint } from '../all-endpoint-queries.ts'
import {
  BUCKETS,
  CLOCK_TOLERANCE_MS,
  FRESH_MS,
  LEASE_MS,
  MAX_PER_ENDPOINT,
  MOST_REQUEST_MS,
  REFUSED_MS,
  REQUEST_MS,
  RESERVED_FOR_MS,
  SOON_MS,
} from '../limits.ts'
import { isPrompt, isSuccess } from '../rules.ts'
import { attempt } from './attempt.ts'
import type { DeliverDeps } from './deps.ts'
import { type DueDestination, dueDestinationOf } from './destinations.ts'
import { attemptBy, type LeasedEndpoint, type Outcome, recordEnded } from './record.ts'
import type { LeasedDelivery } from './run-queries.ts'
import { askForProof, newChallenge } from './verification.ts'

/** Deliveries to one endpoint that are leased by this run. */
type LeasedDeliveries = LeasedEndpoint & {
  deliveries: [LeasedDelivery, ...LeasedDelivery[]]
  /** The challenge of a request for a proof, which replaces the delivery. */
  challenge: string | null
}

/**
 * Leases as many due deliveries of an endpoint as are sent at once: one if its destination is not proven or
 * fails. If a token bucket is empty, the endpoint is due when its reserved tokens come.
 * @returns undefined without a due delivery, during a pause of the destination, or if the endpoint has
 *   another URL now
 * @throws if the signing keys or the database are unavailable; nothing is leased then
 */
export async function leaseDeliveries(
  deps: DeliverDeps,
  { endpointId, urlHash, host }: DueDestination,
): Promise<LeasedDeliveries | undefined> {
  // Unreadable keys throw here, before an attempt is used.
  await deps.signingKeys()
  const now = deps.clock()
  const after = (ms: number) => new Date(now.getTime() + ms)
  const at = { urlHash, lease: crypto.randomUUID() }
  const isTrusted = deps.trustedHosts.has(host)
  const begun = deps.leases.begin(at.lease, after(LEASE_MS))
  const rows = await postgres.leaseDeliveries
    .rows(deps.db, {
      ...at,
      ...{ endpointId, host, isTrusted, now },
      buckets: BUCKETS,
      limit: MAX_PER_ENDPOINT,
      dueBefore: after(CLOCK_TOLERANCE_MS),
      leaseEnd: after(LEASE_MS),
      newUntil: after(REQUEST_MS),
      newLatest: after(MOST_REQUEST_MS),
      refusedUntil: after(REFUSED_MS),
      reservedSince: after(-RESERVED_FOR_MS),
      newChallenge: newChallenge(),
      freshSince: after(-FRESH_MS),
      soon: after(SOON_MS),
    })
    .finally(() => begun)
  const [first, ...others] = rows
  if (first === undefined || first.turnAt !== null) {
    if (first?.turnAt) deps.schedule('deliveries', first.turnAt, attemptBy(first.turnAt, { now, ...first }))
    await deps.leases.end(at.lease)
    return undefined
  }
  const { kind, wallet, url, secrets, proof, heldUntil, isProbed, challenge } = first
  const endpoint = { id: endpointId, kind, wallet, url, secrets }
  return {
    ...at,
    ...{ endpoint, proof, heldUntil, isTrusted, isProbed, challenge },
    deliveries: [deliveryOf(first), ...others.map(deliveryOf)],
    leasedAt: now,
  }
}

const deliveryOf = ({ id, type, timestamp, data, attempts }: LeasedDelivery): LeasedDelivery => ({
  id,
  type,
  timestamp,
  data,
  attempts,
})

/**
 * Attempts leased deliveries in parallel, and records each as delivered, due again by the schedule, or given
 * up. If the run is cut off, they are due again when the lease ends, and the Clock knows that time. So
 * delivery is at least once, with the same id. A new destination gets a request for a proof instead. A 2xx to
 * it leaves the delivery due; any other answer is a failed attempt of the delivery.
 */
export async function deliver(deps: DeliverDeps, leased: LeasedDeliveries): Promise<Outcome> {
  const outcome = await send(deps, leased)
  await deps.leases.end(leased.lease)
  return outcome
}

async function send(deps: DeliverDeps, leased: LeasedDeliveries): Promise<Outcome> {
  const { endpoint, challenge } = leased
  if (challenge !== null) return sendRequest(deps, leased, challenge)
  const ended = await Promise.all(
    leased.deliveries.map(async (delivery) => ({
      delivery,
      result: await attempt(deps, endpoint, delivery),
    })),
  )
  return recordEnded(deps, leased, ended)
}

async function sendRequest(deps: DeliverDeps, leased: LeasedDeliveries, challenge: string): Promise<Outcome> {
  const { endpoint, urlHash, lease, leasedAt } = leased
  const [delivery] = leased.deliveries
  const { unconfirmedReason, ...result } = await askForProof(deps, endpoint, challenge)
  if (!isSuccess(result)) return recordEnded(deps, leased, [{ delivery, result }])
  const { nudges } = await postgres.recordVerification.call(deps.db, {
    ...{ endpointId: endpoint.id, wallet: endpoint.wallet, url: endpoint.url, urlHash, lease, leasedAt },
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
export async function attemptLeased(deps: DeliverDeps, leased: LeasedDeliveries): Promise<void> {
  const endpointId = leased.endpoint.id
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

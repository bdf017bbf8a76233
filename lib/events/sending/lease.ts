import * as postgres from '../../db/functions.ts'
import { LEASE_MS, SQL_LIMITS } from '../limits.ts'
import { probeDelayMs } from '../rules.ts'
import { attemptBy } from './attempt-by.ts'
import { roundRobin } from './concurrency.ts'
import type { DeliverDeps } from './deps.ts'
import { type DueDestination, dueDestinationOf, type RunForOne } from './destinations.ts'
import { newChallenge } from './verification.ts'

type Row = Awaited<ReturnType<typeof postgres.leaseDeliveries.rows>>[number]

/** A leased delivery: the event, the number of earlier attempts, and the endpoint. */
export type LeasedDelivery = ReturnType<typeof deliveryOf>

/** Deliveries leased by a run: of one endpoint, or of several healthy ones (`isShared`). */
export type Leased = { lease: string; leasedAt: Date; isShared: boolean; deliveries: LeasedDelivery[] }

/**
 * Leases due deliveries of the healthy endpoints in a list, for a shared run.
 * @returns also the other endpoints with due deliveries and no pause. Each needs a run of its own, since
 *   healthy endpoints must not wait for it
 * @throws if the signing keys or the database are unavailable; nothing is leased then
 */
export async function leaseBatch(
  deps: DeliverDeps,
  endpointIds: string[],
): Promise<{ batch: Leased; others: RunForOne[] }> {
  const { others, ...batch } = await lease(deps, { endpointIds })
  return { batch, others: await Promise.all(others.map((row) => runForOne(deps, row))) }
}

/**
 * Leases due deliveries of an endpoint, for a run for it alone. If its destination is not proven or fails,
 * that is one.
 * @returns undefined without a leased delivery, such as during a pause of the destination, or if the endpoint
 *   has another URL now
 * @throws if the signing keys or the database are unavailable; nothing is leased then
 */
export async function leaseDeliveries(
  deps: DeliverDeps,
  { endpointId, urlHash, host }: DueDestination,
): Promise<Leased | undefined> {
  const destination = { urlHash, host, newChallenge: newChallenge() }
  const { others: _, ...leased } = await lease(deps, { endpointIds: [endpointId], ...destination })
  return leased.deliveries.length > 0 ? leased : undefined
}

/** Leases due deliveries. Schedules endpoints that are paused or wait for tokens. */
async function lease(
  deps: DeliverDeps,
  of: { endpointIds: string[]; urlHash?: string; host?: string; newChallenge?: string },
): Promise<Leased & { others: Row[] }> {
  // Unreadable keys throw here, before an attempt is used.
  await deps.signingKeys()
  const now = deps.clock()
  const id = crypto.randomUUID()
  const begun = deps.leases.begin(id, new Date(now.getTime() + LEASE_MS))
  const rows = await postgres.leaseDeliveries
    .rows(deps.db, { ...of, lease: id, trustedHosts: [...deps.trustedHosts], limits: SQL_LIMITS, now })
    .finally(() => begun)
  for (const { retryAt, isUrgent } of rows)
    if (retryAt) deps.schedule('deliveries', retryAt, attemptBy(retryAt, { now, isUrgent }))
  const leased = rows.filter(({ outcome }) => outcome === 'leased').map(deliveryOf)
  if (leased.length === 0) await deps.leases.end(id)
  return {
    lease: id,
    leasedAt: now,
    isShared: of.urlHash === undefined,
    // One delivery of each endpoint first, since any endpoint may hang.
    deliveries: roundRobin(leased, ({ endpoint }) => endpoint.id),
    others: rows.filter(({ outcome }) => outcome === 'needs_own_run'),
  }
}

function deliveryOf(row: Row) {
  const { endpointId, kind, wallet, url, secrets, id, type, timestamp, data, agentName, attempts } = row
  const { proof, challenge, pausedUntil } = row
  const endpoint = { id: endpointId, kind, wallet, url, secrets }
  return { endpoint, id, type, timestamp, data, agentName, attempts, proof, challenge, pausedUntil }
}

const runForOne = async (deps: DeliverDeps, { endpointId, url, isFailing }: Row): Promise<RunForOne> => ({
  destination: await dueDestinationOf({ id: endpointId, url }),
  delayMs: isFailing ? probeDelayMs(deps.random()) : 0,
})

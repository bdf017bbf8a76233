import * as postgres from '../../db/functions.ts'
import {
  ATTEMPTS_PER_HOST,
  CLOCK_TOLERANCE_MS,
  LEASE_MS,
  minuteOf,
  UNPROVEN_IN_ALL,
  UNPROVEN_INTERVAL_MS,
  UNPROVEN_PER_HOST,
} from '../rules.ts'
import { attempt } from './attempt.ts'
import type { LeasedDelivery } from './batch-queries.ts'
import type { DeliverDeps } from './deps.ts'
import { type LeasedEndpoint, type Outcome, recordEnded } from './recording.ts'
import type { DueTarget } from './targets.ts'

/** As many as a Worker may have connections open at once: they are all sent at the same time. */
const MAX_PER_RUN = 6

/** An endpoint's deliveries that are ours to attempt, under one lease. */
export type LeasedDeliveries = LeasedEndpoint & { deliveries: LeasedDelivery[] }

/**
 * Leases an endpoint's due deliveries, as many as are sent at once: one, where its target has never answered
 * 2xx, or fails.
 * @returns undefined when there are none, the target or its host has had its share, or its URL is another now
 * @throws what the keys or the database are at fault for; nothing is leased then
 */
export async function leaseDeliveries(
  deps: DeliverDeps,
  { endpointId, urlHash, host }: DueTarget,
): Promise<LeasedDeliveries | undefined> {
  // Keys that can not be read cost no attempt.
  await deps.signingKeys()
  const now = deps.clock()
  const after = (ms: number) => new Date(now.getTime() + ms)
  const at = { urlHash, host, minute: minuteOf(now), lease: crypto.randomUUID() }
  const rows = await postgres.leaseDeliveries.rows(deps.db, {
    ...at,
    endpointId,
    now,
    dueBefore: after(CLOCK_TOLERANCE_MS),
    leaseEnd: after(LEASE_MS),
    unprovenUntil: after(UNPROVEN_INTERVAL_MS),
    perHost: ATTEMPTS_PER_HOST,
    unprovenPerHost: UNPROVEN_PER_HOST,
    unprovenInAll: UNPROVEN_IN_ALL,
    limit: MAX_PER_RUN,
  })
  const [first] = rows
  if (first === undefined) return undefined
  const { kind, wallet, url, secrets, isProven, isProbed, hasSlots } = first
  return {
    ...at,
    hook: { id: endpointId, kind, wallet, url, secrets },
    isProven,
    isProbed,
    hasSlots,
    deliveries: rows.map(({ id, type, timestamp, data, attempts }) => ({
      id,
      type,
      timestamp,
      data,
      attempts,
    })),
    leasedAt: now,
    isFull: rows.length === MAX_PER_RUN,
  }
}

/**
 * Attempts leased deliveries, all at once, and records what became of them: delivered, due again by the
 * schedule, or given up. If this is cut off anywhere, they are due again when the lease ends: at least once,
 * with the same id.
 */
export async function deliver(deps: DeliverDeps, leased: LeasedDeliveries): Promise<Outcome> {
  const ended = await Promise.all(
    leased.deliveries.map(async (delivery) => ({
      delivery,
      result: await attempt(deps, leased.hook, delivery),
    })),
  )
  return recordEnded(deps, leased, ended)
}

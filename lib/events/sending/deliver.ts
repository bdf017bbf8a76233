import * as postgres from '../../db/functions.ts'
import {
  ATTEMPTS_PER_HOST,
  CLOCK_TOLERANCE_MS,
  dayOf,
  FRESH_MS,
  hourOf,
  isPrompt,
  isSuccess,
  LEASE_MS,
  minuteOf,
  NEW_IN_ALL,
  NEW_INTERVAL_MS,
  NEW_PER_HOST,
  PROVEN_PER_WALLET,
  SOON_MS,
  TRUSTED_PER_HOST,
  UNCONFIRMED_IN_ALL,
  UNCONFIRMED_INTERVAL_MS,
  UNCONFIRMED_PER_DAY,
  UNCONFIRMED_PER_HOST,
} from '../rules.ts'
import { attempt } from './attempt.ts'
import { attemptBy } from './attempt-by.ts'
import type { LeasedDelivery } from './batch-queries.ts'
import type { DeliverDeps } from './deps.ts'
import { type LeasedEndpoint, type Outcome, recordEnded } from './recording.ts'
import type { DueTarget } from './targets.ts'
import { askForProof, newChallenge } from './verification.ts'

/** As many as a Worker may have connections open at once: they are all sent at the same time. */
const MAX_PER_RUN = 6

/** An endpoint's deliveries that are ours to attempt, under one lease. */
export type LeasedDeliveries = LeasedEndpoint & {
  deliveries: [LeasedDelivery, ...LeasedDelivery[]]
  /** What its receiver is to be asked for a proof by, instead of being sent a delivery. */
  challenge: string | null
}

const LIMITS = {
  perHost: ATTEMPTS_PER_HOST,
  newPerHost: NEW_PER_HOST,
  newInAll: NEW_IN_ALL,
  unconfirmedPerHost: UNCONFIRMED_PER_HOST,
  unconfirmedPerDay: UNCONFIRMED_PER_DAY,
  unconfirmedInAll: UNCONFIRMED_IN_ALL,
  trustedPerHost: TRUSTED_PER_HOST,
  perWallet: PROVEN_PER_WALLET,
  limit: MAX_PER_RUN,
}

/**
 * Leases an endpoint's due deliveries, as many as are sent at once: one, where its target is not proven, or
 * fails. Where a host, a wallet or all hosts have had their share, it is due when the target's turn comes.
 * @returns undefined when there are none, the target has to wait, or its URL is another now
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
  const isTrusted = deps.trustedHosts.has(host)
  const begun = deps.leases.begin(at.lease, after(LEASE_MS))
  const rows = await postgres.leaseDeliveries
    .rows(deps.db, {
      ...at,
      ...LIMITS,
      endpointId,
      isTrusted,
      now,
      hour: hourOf(now),
      day: dayOf(now),
      dueBefore: after(CLOCK_TOLERANCE_MS),
      leaseEnd: after(LEASE_MS),
      newUntil: after(NEW_INTERVAL_MS),
      unconfirmedUntil: after(UNCONFIRMED_INTERVAL_MS),
      newChallenge: newChallenge(),
      freshSince: after(-FRESH_MS),
      soon: after(SOON_MS),
    })
    .finally(() => begun)
  const [first, ...others] = rows
  if (first === undefined || first.turnAt !== null) {
    if (first?.turnAt) deps.wakeBy('deliveries', first.turnAt, attemptBy(first.turnAt, { now, ...first }))
    await deps.leases.end(at.lease)
    return undefined
  }
  const { kind, wallet, url, secrets, proof, heldUntil, isProbed, hasSlots, challenge } = first
  const hook = { id: endpointId, kind, wallet, url, secrets }
  return {
    ...at,
    ...{ hook, proof, heldUntil, isTrusted, isProbed, hasSlots, challenge },
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
 * Attempts leased deliveries, all at once, and records what became of them: delivered, due again by the
 * schedule, or given up. If this is cut off anywhere, they are due again when the lease ends, and the Clock
 * knows that: at least once, with the same id. A new target is asked for a proof instead: a 2xx leaves
 * the delivery due, anything else is a failed attempt of it.
 */
export async function deliver(deps: DeliverDeps, leased: LeasedDeliveries): Promise<Outcome> {
  const outcome = await send(deps, leased)
  await deps.leases.end(leased.lease)
  return outcome
}

async function send(deps: DeliverDeps, leased: LeasedDeliveries): Promise<Outcome> {
  const { hook, challenge } = leased
  if (challenge !== null) return sendRequest(deps, leased, challenge)
  const ended = await Promise.all(
    leased.deliveries.map(async (delivery) => ({ delivery, result: await attempt(deps, hook, delivery) })),
  )
  return recordEnded(deps, leased, ended)
}

async function sendRequest(deps: DeliverDeps, leased: LeasedDeliveries, challenge: string): Promise<Outcome> {
  const { hook, urlHash, host, minute, lease, leasedAt } = leased
  const [delivery] = leased.deliveries
  const { unconfirmedReason, ...result } = await askForProof(deps, hook, challenge)
  if (!isSuccess(result)) return recordEnded(deps, leased, [{ delivery, result }])
  const { nudges } = await postgres.recordVerification.call(deps.db, {
    ...{ endpointId: hook.id, wallet: hook.wallet, url: hook.url, urlHash, host, minute, lease, leasedAt },
    eventId: delivery.id,
    unconfirmedReason: unconfirmedReason ?? null,
    isHealthy: unconfirmedReason === undefined && isPrompt(result),
    now: deps.clock(),
  })
  await deps.nudgeNow(nudges)
  return { delivered: 0, failed: 0 }
}

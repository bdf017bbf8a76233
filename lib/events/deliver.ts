import { attempt } from './attempt.ts'
import { type Attempted, recordAttempts } from './attempted-queries.ts'
import type { DeliverDeps } from './deps.ts'
import { type LeasedOfOne, leaseDue } from './lease-queries.ts'
import type { LeasedDelivery } from './leasing-queries.ts'
import {
  ATTEMPTS_PER_HOST,
  FAILING_GAP_MS,
  FAILING_LIMIT_MS,
  heldUntil,
  isPrompt,
  isSuccess,
  minuteOf,
  nextStep,
  type Result,
  UNPROVEN_INTERVAL_MS,
  UNPROVEN_PER_HOST,
} from './rules.ts'
import type { DueTarget } from './targets.ts'

/** How long a lease holds: longer than an attempt and recording it can take, and the delay after a crash. */
export const LEASE_MS = 60_000

/** As many as a Worker may have connections open at once: they are all sent at the same time. */
const MAX_PER_RUN = 6

/** The clock of the machine that wrote the due time may be this far ahead of ours. */
export const CLOCK_TOLERANCE_MS = 1_000

/** An endpoint's deliveries that are ours to attempt, under one lease, and what is known of its target. */
export type LeasedDeliveries = LeasedOfOne & {
  urlHash: string
  host: string
  /** The host's minute in which they were leased began then. */
  minute: Date
  lease: string
  leasedAt: Date
  /** Whether as many were leased as can be, so that more may be due. */
  isFull: boolean
}

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
  const leased = await leaseDue(deps.db, {
    ...at,
    id: endpointId,
    now,
    dueBefore: after(CLOCK_TOLERANCE_MS),
    leaseEnd: after(LEASE_MS),
    unprovenUntil: after(UNPROVEN_INTERVAL_MS),
    gapBefore: after(-FAILING_GAP_MS),
    perHost: ATTEMPTS_PER_HOST,
    unprovenPerHost: UNPROVEN_PER_HOST,
    limit: MAX_PER_RUN,
  })
  return leased && { ...leased, ...at, leasedAt: now, isFull: leased.deliveries.length === MAX_PER_RUN }
}

/** A delivery that was attempted, and what came of it. */
export type Ended = { delivery: LeasedDelivery; result: Result }

/** How many attempts were answered 2xx, and how many were not. */
type Outcome = { delivered: number; failed: number }

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

/** Records what became of attempts at one endpoint, and nudges for what is due next. */
export async function recordEnded(
  deps: DeliverDeps,
  leased: Omit<LeasedDeliveries, 'deliveries'>,
  ended: Ended[],
): Promise<Outcome> {
  const now = deps.clock()
  const succeeded = ended.filter(({ result }) => isSuccess(result)).length
  const held = heldUntil(leased, { succeeded, now })
  const steps = ended.map(({ delivery: { id, attempts }, result }) => {
    const step = nextStep(result, { attempts: attempts + 1, now, jitter: deps.random() })
    return { id, result, step }
  })
  const attempted = steps.map(({ id, result, step }): Attempted => {
    const status = STATUS_OF[step.kind]
    return {
      eventId: id,
      status,
      // One that met a 410 is held with all others, due as soon as the endpoint is enabled.
      nextAttemptAt: step.kind === 'retry' ? latest(step.at, held) : status === 'pending' ? now : null,
      code: 'code' in result ? result.code : null,
      failure: 'failure' in result ? result.failure : null,
      durationMs: result.durationMs,
    }
  })
  const failed = attempted.length - succeeded
  const { hook, lease, leasedAt, urlHash, host, minute } = leased
  const { id, kind, wallet, url } = hook
  const at = { id, kind, wallet, url, urlHash, host, minute, lease, leasedAt }
  const due = await recordAttempts(deps.db, at, attempted, {
    isGone: steps.some(({ step }) => step.kind === 'gone'),
    succeeded,
    isPrompt: ended.every(({ result }) => isPrompt(result)),
    slotChange: leased.hasSlots ? -succeeded : failed,
    heldUntil: held,
    isReleased: leased.isProbed && succeeded > 0,
    failingBefore: new Date(now.getTime() - FAILING_LIMIT_MS),
    now,
  })
  const retries = attempted.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? [])
  await nudgeNext(deps, leased, { held, retries, due, now })
  return { delivered: succeeded, failed }
}

const STATUS_OF = { delivered: 'delivered', retry: 'pending', gone: 'pending', given_up: 'failed' } as const

const latest = (time: Date, other: Date | null): Date => (other && other >= time ? other : time)

/**
 * Nudges for what is due next: each retry at its time, and at once what is due now, be it more than was
 * leased or what has waited for the target's 2xx. A target that fails is nudged for when its pause ends, too,
 * for what came in meanwhile; what waits for one that was never proven is left to its retries and the cron.
 */
async function nudgeNext(
  deps: DeliverDeps,
  { hook: { id }, isProven, isProbed, isFull }: Omit<LeasedDeliveries, 'deliveries'>,
  { held, retries, due, now }: { held: Date | null; retries: Date[]; due: string[]; now: Date },
): Promise<void> {
  const hasMore = !held && (isProbed || isFull)
  // A retry that is due at the end of the pause is nudged for by it.
  const times = new Set([...retries, ...(held && isProven ? [held] : []), ...(hasMore ? [now] : [])])
  const nudges = [
    ...[...times].map((time) => ({ endpointId: id, delayMs: time.getTime() - now.getTime() })),
    ...due.map((endpointId) => ({ endpointId, delayMs: 0 })),
  ]
  if (nudges.length > 0) await deps.nudgeLater(nudges)
}

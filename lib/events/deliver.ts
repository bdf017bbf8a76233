import { hostOf } from '../../schema/urls.ts'
import { sha256Hex } from '../crypto/digest.ts'
import { attempt } from './attempt.ts'
import { type Attempted, recordAttempts } from './attempted-queries.ts'
import type { DeliverDeps } from './deps.ts'
import type { Hook } from './hook-queries.ts'
import { leaseDue } from './lease-queries.ts'
import type { LeasedDelivery } from './leasing-queries.ts'
import {
  FAILING_GAP_MS,
  FAILING_LIMIT_MS,
  hostLimit,
  isPrompt,
  minuteOf,
  nextStep,
  type Result,
  UNPROVEN_INTERVAL_MS,
} from './rules.ts'
import { findHook } from './target-queries.ts'

/** How long a lease holds: longer than an attempt and recording it can take, and the delay after a crash. */
export const LEASE_MS = 60_000

/** As many as a Worker may have connections open at once: they are all sent at the same time. */
const MAX_PER_RUN = 6

/** The clock of the machine that wrote the due time may be this far ahead of ours. */
export const CLOCK_TOLERANCE_MS = 1_000

/** An endpoint's deliveries that are ours to attempt, under one lease, and what is known of its target. */
export type LeasedDeliveries = {
  hook: Hook
  urlHash: string
  host: string
  isProven: boolean
  /** Whether each has taken a place in the host's minute, which began then. */
  hasSlots: boolean
  minute: Date
  lease: string
  leasedAt: Date
  /** Whether as many were leased as can be, so that more may be due. */
  isFull: boolean
  deliveries: LeasedDelivery[]
}

/**
 * Leases an endpoint's due deliveries, as many as are sent at once: one, where its target has never answered
 * 2xx.
 * @returns undefined when there are none, or the target or its host has had its share
 * @throws what the keys or the database are at fault for; nothing is leased then
 */
export async function leaseDeliveries(
  deps: DeliverDeps,
  endpointId: string,
): Promise<LeasedDeliveries | undefined> {
  // Keys that can not be read cost no attempt.
  await deps.signingKeys()
  const now = deps.clock()
  const after = (ms: number) => new Date(now.getTime() + ms)
  const dueBefore = after(CLOCK_TOLERANCE_MS)
  const triedBefore = after(CLOCK_TOLERANCE_MS - UNPROVEN_INTERVAL_MS)
  const found = await findHook(deps.db, { id: endpointId, now, triedBefore })
  if (!found?.isOpen) return undefined
  const { isProven, isOpen: _, ...hook } = found
  const at = { urlHash: await sha256Hex(hook.url), host: hostOf(hook.url), minute: minuteOf(now) }
  const lease = crypto.randomUUID()
  const limit = isProven ? MAX_PER_RUN : 1
  const deliveries = await leaseDue(deps.db, {
    ...at,
    id: hook.id,
    url: hook.url,
    lease,
    now,
    dueBefore,
    leaseEnd: after(LEASE_MS),
    triedBefore,
    gapBefore: after(-FAILING_GAP_MS),
    hostLimit: hostLimit(isProven),
    limit,
  })
  const [first] = deliveries
  if (!first) return undefined
  const isFull = deliveries.length === limit
  return { ...at, hook, isProven, hasSlots: first.hasSlot, lease, leasedAt: now, isFull, deliveries }
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
      nextAttemptAt: step.kind === 'retry' ? retryAt(leased, step.at) : status === 'pending' ? now : null,
      code: 'code' in result ? result.code : null,
      failure: 'failure' in result ? result.failure : null,
      durationMs: result.durationMs,
    }
  })
  const delivered = attempted.filter(({ status }) => status === 'delivered').length
  const failed = attempted.length - delivered
  const { hook, lease, leasedAt, urlHash, host, minute } = leased
  const { id, kind, wallet, url } = hook
  const at = { id, kind, wallet, url, urlHash, host, minute, lease, leasedAt }
  const due = await recordAttempts(deps.db, at, attempted, {
    isGone: steps.some(({ step }) => step.kind === 'gone'),
    succeeded: delivered,
    isPrompt: ended.every(({ result }) => isPrompt(result)),
    slotChange: leased.hasSlots ? -delivered : failed,
    failingBefore: new Date(now.getTime() - FAILING_LIMIT_MS),
    now,
  })
  const nudges = [
    ...nudgesAgain(leased, attempted, now),
    ...due.map((endpointId) => ({ endpointId, delayMs: 0 })),
  ]
  if (nudges.length > 0) await deps.nudgeLater(nudges)
  return { delivered, failed }
}

const STATUS_OF = { delivered: 'delivered', retry: 'pending', gone: 'pending', given_up: 'failed' } as const

/** A target that was never proven is not tried sooner than its interval allows. */
const retryAt = ({ isProven, leasedAt }: Pick<LeasedDeliveries, 'isProven' | 'leasedAt'>, at: Date): Date =>
  isProven ? at : new Date(Math.max(at.getTime(), leasedAt.getTime() + UNPROVEN_INTERVAL_MS))

/**
 * The nudges for each retry at its time, and at once for what may be due now: more than was leased, what has
 * waited for the target's first 2xx, or what met a 410 at a URL that was replaced meanwhile.
 */
function nudgesAgain(
  { hook, isProven, isFull }: Pick<LeasedDeliveries, 'hook' | 'isProven' | 'isFull'>,
  attempted: Attempted[],
  now: Date,
): { endpointId: string; delayMs: number }[] {
  const endpointId = hook.id
  const retries = attempted.flatMap(({ nextAttemptAt }) =>
    nextAttemptAt ? [{ endpointId, delayMs: nextAttemptAt.getTime() - now.getTime() }] : [],
  )
  const hasMore = isFull && (isProven || attempted.some(({ status }) => status === 'delivered'))
  return [...retries, ...(hasMore ? [{ endpointId, delayMs: 0 }] : [])]
}

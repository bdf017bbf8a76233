import * as postgres from '../../db/functions.ts'
import type { Hook } from '../hook-queries.ts'
import {
  FAILING_LIMIT_MS,
  heldUntil,
  isPrompt,
  isSuccess,
  latest,
  nextStep,
  type Result,
  type TargetState,
} from '../rules.ts'
import type { LeasedDelivery } from './batch-queries.ts'
import type { DeliverDeps } from './deps.ts'

/** An endpoint that was sent deliveries, with their lease and the known state of its target. */
export type LeasedEndpoint = TargetState & {
  hook: Hook
  /** Whether it is at a host whose URLs are their owners' secrets: a 2xx proves it. */
  isTrusted: boolean
  /** Whether the target is sent one attempt to see if it answers: it is not proven, or fails. */
  isProbed: boolean
  /** Whether each delivery has taken a slot in its host's minute. */
  hasSlots: boolean
  urlHash: string
  host: string
  /** The host's minute in which they were leased began then. */
  minute: Date
  lease: string
  leasedAt: Date
  /** Whether as many were leased as can be, so that more may be due. */
  isFull: boolean
}

/** A delivery that was attempted, and the result. */
export type Ended = { delivery: LeasedDelivery; result: Result }

/** How many attempts were answered 2xx, and how many were not. */
export type Outcome = { delivered: number; failed: number }

/** Records the results of attempts at one endpoint, and nudges for its next deliveries. */
export async function recordEnded(
  deps: DeliverDeps,
  leased: LeasedEndpoint,
  ended: Ended[],
): Promise<Outcome> {
  const now = deps.clock()
  const succeeded = ended.filter(({ result }) => isSuccess(result)).length
  const held = heldUntil(leased, { results: ended.map(({ result }) => result), now })
  const steps = ended.map(({ delivery: { id, attempts }, result }) => {
    const { proof } = leased
    const step = nextStep(result, { proof, attempts: attempts + 1, now, jitter: deps.random() })
    return { id, result, step }
  })
  // One that met a 410 is held with all others, due as soon as the endpoint is enabled.
  const nextAttempts = steps.map(({ step }) =>
    step.kind === 'retry' ? latest(step.at, held) : step.kind === 'gone' ? now : null,
  )
  const failed = steps.length - succeeded
  const { hook, lease, leasedAt, urlHash, host, minute } = leased
  const { id: endpointId, kind, wallet, url } = hook
  const { nudges } = await postgres.recordAttempts.call(deps.db, {
    ...{ endpointId, kind, wallet, url, urlHash, host, minute, lease, leasedAt, now },
    attempts: steps.map(({ id, result, step }, i) => ({
      event_id: id,
      status: STATUS_OF[step.kind],
      next_attempt_at: nextAttempts[i],
      response_code: 'code' in result ? result.code : null,
      failure: 'failure' in result ? result.failure : null,
      duration_ms: result.durationMs,
    })),
    isGone: steps.some(({ step }) => step.kind === 'gone'),
    succeeded,
    isPrompt: ended.every(({ result }) => isPrompt(result)),
    slotChange: leased.hasSlots ? -succeeded : failed,
    heldUntil: held,
    isReleased: leased.isProbed && succeeded > 0 && !held,
    isTrusted: leased.isTrusted,
    failingBefore: new Date(now.getTime() - FAILING_LIMIT_MS),
  })
  const retries = nextAttempts.filter((time) => time !== null)
  await nudgeNext(deps, leased, { held, retries, due: nudges, now })
  return { delivered: succeeded, failed }
}

const STATUS_OF = { delivered: 'delivered', retry: 'pending', gone: 'pending', given_up: 'failed' } as const

/**
 * Nudges for the next deliveries: for each retry at its time, and at once for deliveries that are due now, be
 * they more than were leased or have they waited for the target's 2xx. A held target is nudged for when its
 * pause ends, too, for deliveries that came in meanwhile; deliveries that wait for a new target are left to
 * its retries and the cron.
 */
async function nudgeNext(
  deps: DeliverDeps,
  { hook: { id }, proof, isProbed, isFull }: LeasedEndpoint,
  { held, retries, due, now }: { held: Date | null; retries: Date[]; due: string[]; now: Date },
): Promise<void> {
  const hasMore = !held && (isProbed || isFull)
  // A retry that is due at the end of the pause is nudged for by it.
  const times = new Set([...retries, ...(held && proof !== 'new' ? [held] : []), ...(hasMore ? [now] : [])])
  const nudges = [
    ...[...times].map((time) => ({ endpointId: id, delayMs: time.getTime() - now.getTime() })),
    ...due.map((endpointId) => ({ endpointId, delayMs: 0 })),
  ]
  if (nudges.length > 0) await deps.nudgeLater(nudges)
}

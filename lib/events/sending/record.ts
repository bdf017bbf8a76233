import { nextScheduledRun } from '../../clock/jobs.ts'
import * as postgres from '../../db/functions.ts'
import { startOfDay } from '../../time.ts'
import {
  AWAITED_IN_ALL,
  AWAITED_OF_DEAD,
  AWAITED_PER_TARGET,
  FAILING_LIMIT_MS,
  FRESH_MS,
  LATELY_MS,
  MINUTE_MS,
  SOON_MS,
} from '../limits.ts'
import { heldUntil, isPrompt, isSuccess, latest, nextStep, type Result } from '../rules.ts'
import type { DeliverDeps } from './deps.ts'
import { destinationOf } from './destinations.ts'
import type { Leased, LeasedDelivery } from './lease.ts'

/** A delivery that was attempted, and the result. */
export type Ended = { delivery: LeasedDelivery; result: Result }

/** The numbers of attempts with and without a 2xx. */
export type Outcome = { delivered: number; failed: number }

/** Records the results of attempts at one endpoint, and schedules its next deliveries. */
export async function recordEnded(
  deps: DeliverDeps,
  { lease, leasedAt }: Pick<Leased, 'lease' | 'leasedAt'>,
  ended: Ended[],
): Promise<Outcome> {
  const [first] = ended
  if (!first) return { delivered: 0, failed: 0 }
  const { endpoint, proof, isProbed } = first.delivery
  const { urlHash, host } = await destinationOf(endpoint.url)
  const now = deps.clock()
  const after = (ms: number) => new Date(now.getTime() + ms)
  const succeeded = ended.filter(({ result }) => isSuccess(result)).length
  const held = heldUntil(first.delivery, { results: ended.map(({ result }) => result), now })
  const steps = ended.map(({ delivery: { id, attempts }, result }) => {
    const step = nextStep(result, { proof, attempts: attempts + 1, now, jitter: deps.random() })
    return { id, result, step }
  })
  // After a 410 the delivery is held with all others, and due as soon as the endpoint is enabled.
  const nextAttempts = steps.map(({ step }) =>
    step.kind === 'retry' ? latest(step.at, held) : step.kind === 'gone' ? now : null,
  )
  const failed = steps.length - succeeded
  const { id: endpointId, kind, wallet, url } = endpoint
  const recorded = await postgres.recordAttempts.call(deps.db, {
    ...{ endpointId, kind, wallet, url, urlHash, lease, leasedAt, now },
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
    heldUntil: held,
    isReleased: isProbed && succeeded > 0 && !held,
    isTrusted: deps.trustedHosts.has(host),
    failingBefore: after(-FAILING_LIMIT_MS),
    day: startOfDay(now),
    freshSince: after(-FRESH_MS),
    soon: after(SOON_MS),
    failingSince: after(-LATELY_MS),
    awaitedPerTarget: AWAITED_PER_TARGET,
    awaitedInAll: AWAITED_IN_ALL,
    awaitedOfDead: AWAITED_OF_DEAD,
  })
  const { nextAt, isAwaited } = recorded
  const isDue = nextAt !== null && nextAt <= now
  const nudges = new Set(isDue ? [...recorded.nudges, endpointId] : recorded.nudges)
  if (nudges.size > 0) await deps.nudgeNow([...nudges])
  if (nextAt && !isDue) deps.schedule('deliveries', nextAt, attemptBy(nextAt, { now, isAwaited }))
  return { delivered: succeeded, failed }
}

const STATUS_OF = { delivered: 'delivered', retry: 'pending', gone: 'pending', given_up: 'failed' } as const

/**
 * Returns the latest time for an attempt that is due at a time. If the database is not woken for it, that is
 * the next scheduled run. Otherwise it is the due time, or a minute later if that is not soon.
 */
export function attemptBy(at: Date, { now, isAwaited }: { now: Date; isAwaited: boolean }): Date {
  if (!isAwaited) return new Date(nextScheduledRun(at.getTime()))
  return at.getTime() - now.getTime() <= SOON_MS ? at : new Date(at.getTime() + MINUTE_MS)
}

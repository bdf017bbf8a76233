import type { DeliveryFailure, WebhookProof } from '../../schema/values.ts'
import { retryAfterMs } from '../time.ts'
import { JITTER, MAX_PROBE_DELAY_S, MAX_RETRY_AFTER_MS, PROMPT_MS, RETRY_DELAYS_MS } from './limits.ts'

/**
 * Returns the delay before a probe of a failing endpoint, in milliseconds. Healthy endpoints are sent their
 * burst first, and probes do not all start at once.
 * @param jitter from 0 to below 1
 */
export const probeDelayMs = (jitter: number): number => (1 + Math.floor(jitter * MAX_PROBE_DELAY_S)) * 1_000

/** An endpoint's answer, or the failure instead of an answer. */
export type Answer = { code: number; retryAfter: string | null } | { failure: DeliveryFailure }

/** The result of an attempt: its answer or failure, and how long it took. */
export type Result = Answer & { durationMs: number }

/** Whether the status code is 2xx. */
export const isSuccess = (result: Answer): boolean =>
  'code' in result && result.code >= 200 && result.code < 300

/** Whether an answer is a 2xx within {@link PROMPT_MS}. */
export const isPrompt = (result: Result): boolean => isSuccess(result) && result.durationMs < PROMPT_MS

/** Returns the pause that an answer requests, in milliseconds. Retry-After counts with 429 and 503 only. */
export const pauseAskedMs = (result: Answer, now: Date): number =>
  'code' in result && (result.code === 429 || result.code === 503)
    ? retryAfterMs(result.retryAfter, now, MAX_RETRY_AFTER_MS)
    : 0

/** What follows for a delivery. `gone`: the endpoint answered 410. */
export type NextStep =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: Date }
  | { kind: 'gone' }
  | { kind: 'given_up' }

/**
 * Returns the next state of a delivery after an attempt. Any 2xx is a success, and 410 is final for the
 * webhook. Any other result, such as a redirect, is a failure and is retried until MAX_ATTEMPTS. At an
 * unconfirmed destination a failed delivery is given up.
 * @param attempts the attempts so far, including this one
 * @param pausedUntil the end of the destination's pause, before which there is no retry
 * @param jitter from 0 to 1: the share of JITTER that is added to the delay
 */
export function nextStep(
  result: Answer,
  {
    proof,
    attempts,
    now,
    jitter,
    pausedUntil = null,
  }: { proof: WebhookProof; attempts: number; now: Date; jitter: number; pausedUntil?: Date | null },
): NextStep {
  if (isSuccess(result)) return { kind: 'delivered' }
  if ('code' in result && result.code === 410) return { kind: 'gone' }
  const delay = RETRY_DELAYS_MS[attempts - 1]
  if (delay === undefined || proof === 'unconfirmed') return { kind: 'given_up' }
  const asked = 'code' in result ? retryAfterMs(result.retryAfter, now, MAX_RETRY_AFTER_MS) : 0
  const wait = Math.ceil(Math.max(delay * (1 + JITTER * jitter), asked))
  return { kind: 'retry', at: new Date(Math.max(now.getTime() + wait, pausedUntil?.getTime() ?? 0)) }
}

import type { DeliveryFailure, WebhookProof } from '../../schema/values.ts'
import { retryAfterMs } from '../time.ts'
import {
  FAILING_PAUSE_MS,
  JITTER,
  MAX_RETRY_AFTER_MS,
  MOST_PROBE_DELAY_S,
  RETRY_DELAYS_MS,
  SLOW_MS,
} from './limits.ts'

/**
 * After how long a failing endpoint is attempted: answering endpoints are sent their burst first, and failing
 * ones are not all attempted at once.
 * @param jitter from 0 to below 1
 */
export const probeDelayMs = (jitter: number): number => (1 + Math.floor(jitter * MOST_PROBE_DELAY_S)) * 1_000

/** An endpoint's answer, or why there was none. */
export type Answer = { code: number; retryAfter: string | null } | { failure: DeliveryFailure }

/** The result of an attempt: its answer or failure, and how long it took. */
export type Result = Answer & { durationMs: number }

/** Any 2xx is a success. */
export const isSuccess = (result: Answer): boolean =>
  'code' in result && result.code >= 200 && result.code < 300

/** Whether an answer is one that nobody has to wait for. */
export const isPrompt = (result: Result): boolean => isSuccess(result) && result.durationMs < SLOW_MS

/** How long an answer asks to be sent nothing, by the two codes that Retry-After is about. */
const pauseAskedMs = (result: Answer, now: Date): number =>
  'code' in result && (result.code === 429 || result.code === 503)
    ? retryAfterMs(result.retryAfter, now, MAX_RETRY_AFTER_MS)
    : 0

/**
 * What is known of a destination when it was leased; `heldUntil`: its pause after the attempt, if it is new.
 */
export type DestinationState = { proof: WebhookProof; heldUntil: Date | null }

/**
 * Returns until when a destination is sent nothing after attempts that had these results: as long as one of
 * them asks, and for a pause when none was answered 2xx. Null if more may be sent at once.
 */
export function heldUntil(
  destination: DestinationState,
  { results, now }: { results: Answer[]; now: Date },
): Date | null {
  const asked = Math.max(...results.map((result) => pauseAskedMs(result, now)))
  const after = (ms: number) => new Date(now.getTime() + ms)
  if (results.some(isSuccess)) return asked > 0 ? after(asked) : null
  return latest(after(Math.max(asked, FAILING_PAUSE_MS)), destination.heldUntil)
}

/** The later one of two times. */
export const latest = (time: Date, other: Date | null): Date => (other && other >= time ? other : time)

/** What is done next about a delivery. `gone`: the endpoint wants nothing more. */
type NextStep = { kind: 'delivered' } | { kind: 'retry'; at: Date } | { kind: 'gone' } | { kind: 'given_up' }

/**
 * Returns what follows from an attempt. Any 2xx is a success, and 410 is final for the webhook. All else, a
 * redirect too, is a failure, which is tried again until MAX_ATTEMPTS. At an unconfirmed destination the
 * delivery is given up.
 * @param attempts made so far, with this one
 * @param jitter from 0 to 1: the share of JITTER that is added to the delay
 */
export function nextStep(
  result: Answer,
  { proof, attempts, now, jitter }: { proof: WebhookProof; attempts: number; now: Date; jitter: number },
): NextStep {
  if (isSuccess(result)) return { kind: 'delivered' }
  if ('code' in result && result.code === 410) return { kind: 'gone' }
  const delay = RETRY_DELAYS_MS[attempts - 1]
  if (delay === undefined || proof === 'unconfirmed') return { kind: 'given_up' }
  const asked = 'code' in result ? retryAfterMs(result.retryAfter, now, MAX_RETRY_AFTER_MS) : 0
  const wait = Math.max(delay * (1 + JITTER * jitter), asked)
  return { kind: 'retry', at: new Date(now.getTime() + Math.ceil(wait)) }
}

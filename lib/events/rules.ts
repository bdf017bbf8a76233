import type { DeliveryFailure, WebhookProof } from '../../schema/values.ts'
import { retryAfterMs } from '../time.ts'

const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** How long a lease holds: longer than an attempt and recording it can take, and the delay after a crash. */
export const LEASE_MS = 60_000

/** The clock of the machine that wrote the due time may be this far ahead of ours. */
export const CLOCK_TOLERANCE_MS = 1_000

const FIRST_RETRY_MS = 5 * SECOND_MS

/** The wait after each failed attempt but the last (Standard Webhooks 1.0.0, "Example retry schedule"). */
export const RETRY_DELAYS_MS = [
  FIRST_RETRY_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] // biome-format: keep
export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1

/** Up to this share is added to a delay, so that what failed together does not come back together. */
export const JITTER = 0.2

/** An endpoint that fails is sent nothing for so long after an attempt: the longest wait of a first retry. */
const FAILING_PAUSE_MS = FIRST_RETRY_MS * (1 + JITTER)

/** A delivery is fresh for so long after it was put in line. */
export const FRESH_MS = 10 * MINUTE_MS
/** What is due within this is soon: the longest wait of a second retry. */
export const SOON_MS = 5 * MINUTE_MS * (1 + JITTER)
/** A proven target that began to fail so long ago may answer soon. */
export const LATELY_MS = 24 * HOUR_MS
/**
 * Attempts on a day that wake the database for one target, and for all, fresh deliveries' first ones aside.
 */
export const AWAITED_PER_TARGET = 3
export const AWAITED_IN_ALL = 24
/** Those at targets that have failed for a day come while so few were used of all. */
export const AWAITED_OF_DEAD = 2

/** The longest that an endpoint can ask us to wait. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/** A new target is asked for a proof once in so long, however many deliveries wait for it. */
export const NEW_INTERVAL_MS = 5 * MINUTE_MS
/** An unconfirmed target is sent one event in so long, and so many on a day. */
export const UNCONFIRMED_INTERVAL_MS = MINUTE_MS
export const UNCONFIRMED_PER_DAY = 100
/**
 * Events that all unconfirmed targets of a host get in an hour, of wallets that have paid or were paid and of
 * others each; and those of all hosts in a minute.
 */
export const UNCONFIRMED_PER_HOST = 60
export const UNCONFIRMED_IN_ALL = 600
/** Events that all targets of a trusted host get in an hour. */
export const TRUSTED_PER_HOST = 10 * UNCONFIRMED_PER_HOST
/** Attempts at proven targets of one wallet at one host in a minute. */
export const PROVEN_PER_WALLET = 600

/**
 * An endpoint is disabled by a failure so long after the first one since its last 2xx, however little it was
 * sent between them.
 */
export const FAILING_LIMIT_MS = 5 * 24 * HOUR_MS
/**
 * Deliveries that may wait for an endpoint. More are given up by the next round, which pauses the
 * endpoint.
 */
export const MAX_WAITING = 10_000
/** The same of rank 0, beside these: others make them at no cost, so more of them pause nothing. */
export const MAX_FREE_WAITING = 1_000

/** Attempts without 2xx that a host and port get in a minute, over all owners. */
export const ATTEMPTS_PER_HOST = 60
/** Attempts of these for new targets, so that strangers can't use up a host's whole minute. */
export const NEW_PER_HOST = 30
/**
 * Attempts at new targets that all hosts together get in a minute, since one domain can have any number of
 * host names. Half of these are kept for first attempts.
 */
export const NEW_IN_ALL = 600

const startOf =
  (lengthMs: number) =>
  (time: Date): Date =>
    new Date(Math.floor(time.getTime() / lengthMs) * lengthMs)

/** When the minute, hour or day began that a time lies in. */
export const minuteOf = startOf(MINUTE_MS)
export const hourOf = startOf(HOUR_MS)
export const dayOf = startOf(24 * HOUR_MS)

/** An endpoint that takes longer to answer 2xx shares no batch with others until it has answered sooner. */
const SLOW_MS = 5_000

const MOST_PROBE_DELAY_S = 5

/**
 * After how long a failing endpoint is attempted: answering endpoints are sent their burst first, and failing
 * ones are not all attempted at once.
 * @param jitter from 0 to below 1
 */
export const probeDelayMs = (jitter: number): number =>
  (1 + Math.floor(jitter * MOST_PROBE_DELAY_S)) * SECOND_MS

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
 * What is known of a target when it was leased; `heldUntil`: its pause after the attempt, if it is not
 * proven.
 */
export type TargetState = { proof: WebhookProof; heldUntil: Date | null }

/**
 * Until when an endpoint is sent nothing after attempts that had these results: as long as one of them asks,
 * and for a pause when none was answered 2xx, or when its target is unconfirmed. Null if more may be sent at
 * once.
 */
export function heldUntil(
  target: TargetState,
  { results, now }: { results: Answer[]; now: Date },
): Date | null {
  const asked = Math.max(...results.map((result) => pauseAskedMs(result, now)))
  const after = (ms: number) => new Date(now.getTime() + ms)
  if (target.proof !== 'unconfirmed' && results.some(isSuccess)) return asked > 0 ? after(asked) : null
  if (target.proof === 'proven') return after(Math.max(asked, FAILING_PAUSE_MS))
  return latest(after(asked), target.heldUntil)
}

/** The later one of two times. */
export const latest = (time: Date, other: Date | null): Date => (other && other >= time ? other : time)

/** What is done next about a delivery. `gone`: the endpoint wants nothing more. */
type NextStep = { kind: 'delivered' } | { kind: 'retry'; at: Date } | { kind: 'gone' } | { kind: 'given_up' }

/**
 * Says what follows from an attempt: any 2xx is a success, 410 is final for the webhook, everything else (a
 * redirect, too) a failure that is tried again until MAX_ATTEMPTS; at an unconfirmed target it is given up.
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

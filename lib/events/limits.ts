import { DAY_MS, HOUR_MS } from '../time.ts'

/*
 * The limits of webhooks, each stated here alone: functions of Postgres are handed them, and the table in
 * sending/README.md is made of them.
 */

const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS

/** After this an endpoint's answer is no longer waited for. */
export const WEBHOOK_TIMEOUT_MS = 15_000

/** How long a lease holds: longer than an attempt and recording it can take, and the delay after a crash. */
export const LEASE_MS = 60_000
/**
 * A run sends nothing more so long after its lease. An attempt and recording it must end before the lease
 * does, and before the 30 s that the platform gives to work after a handler has returned.
 */
export const SENDING_MS = 10_000
/** The clock of the machine that wrote the due time may be this far ahead of ours. */
export const CLOCK_TOLERANCE_MS = 1_000

/** A Worker may have six connections that wait for an answer: one is the database's. */
export const SENT_AT_ONCE = 5
/** As many deliveries as a run has for one endpoint, since others wait behind them. */
export const MAX_PER_ENDPOINT = 6

/** When no endpoint answers for so long, the rest is left to another run, so that nobody waits for it. */
export const PATIENCE_MS = 1_000
/** An endpoint that takes longer to answer 2xx shares no run with others until it has answered sooner. */
export const SLOW_MS = 5_000

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
/** The longest that an endpoint can ask us to wait. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/** A failing destination is sent nothing for so long after an attempt: the longest wait of a first retry. */
export const FAILING_PAUSE_MS = FIRST_RETRY_MS * (1 + JITTER)
/** The latest start of a probe, in seconds: not all that fail are attempted at once. */
export const MOST_PROBE_DELAY_S = 5

/**
 * The wait after a request for a proof that failed, however many deliveries wait for it: at first, and at
 * most. Between them it is as long as the requests have failed, so that it doubles.
 */
export const REQUEST_MS = 5 * MINUTE_MS
export const MOST_REQUEST_MS = 64 * REQUEST_MS

/**
 * An endpoint is disabled by a failure so long after the first one since its last 2xx, however little it was
 * sent between them.
 */
export const FAILING_LIMIT_MS = 5 * DAY_MS
/** Deliveries that may wait for an endpoint. More are given up by the next sweep, which disables it. */
export const MAX_WAITING = 10_000
/** The same of rank 0, beside these: others make them at no cost, so more of them disable nothing. */
export const MAX_FREE_WAITING = 1_000

/**
 * A token bucket: it holds `tokens` and gets one every `everyMs`. Each attempt takes one. If there is none
 * left, one is reserved that comes within `aheadMs`.
 */
export type TokenBucket = { tokens: number; everyMs: number; aheadMs: number }

/** The buckets that limit attempts (take_tokens of schema/functions). */
export const BUCKETS = {
  /** Of a wallet at a host, at proven destinations. Its next sweep comes when the bucket is full again. */
  proven: { tokens: 600, everyMs: 100, aheadMs: 0 },
  /** Of a host, at proven destinations that fail. */
  failing: { tokens: 30, everyMs: 2_000, aheadMs: HOUR_MS },
  /** Of a host and class of wallets: requests for a proof. */
  requests: { tokens: 30, everyMs: 2_000, aheadMs: 6 * HOUR_MS },
  /** Of a host and class: events at unconfirmed destinations. */
  unconfirmed: { tokens: 60, everyMs: MINUTE_MS, aheadMs: 6 * HOUR_MS },
  /** Of a trusted host and class: all attempts. */
  trusted: { tokens: 600, everyMs: 6_000, aheadMs: 6 * HOUR_MS },
  /** Of an unconfirmed destination: events. */
  url: { tokens: 30, everyMs: 15 * MINUTE_MS, aheadMs: HOUR_MS },
  /**
   * Of all hosts: attempts at destinations that are not proven. Those that wait here have tokens of their
   * hosts, too, and would use them at once, so they may not wait long.
   */
  strangers: { tokens: 600, everyMs: 100, aheadMs: MINUTE_MS },
} as const satisfies Record<string, TokenBucket>
/** Reserved tokens lapse so long after their time: nobody saves them up. */
export const RESERVED_FOR_MS = 2 * MINUTE_MS
/** When a refused attempt is tried again. The bucket of a wallet at a host is full by then. */
export const REFUSED_MS = MINUTE_MS

/** A delivery is fresh for so long after it was enqueued. */
export const FRESH_MS = 10 * MINUTE_MS
/** What is due within this is soon: the longest wait of a second retry. */
export const SOON_MS = 5 * MINUTE_MS * (1 + JITTER)
/** A proven destination that began to fail so long ago may answer soon. */
export const LATELY_MS = DAY_MS
/**
 * Attempts on a day that wake the database for one destination, and for all, fresh deliveries' first ones
 * aside.
 */
export const AWAITED_PER_TARGET = 3
export const AWAITED_IN_ALL = 24
/** Those at destinations that have failed for a day come while so few were used of all. */
export const AWAITED_OF_DEAD = 2

import { injected } from '../injected.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'

/*
 * The limits of webhooks. Functions of Postgres receive them as arguments. Only request_pause.sql repeats
 * one, and a test compares the two. `npm run generate` writes the table in sending/README.md from them.
 */

const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS

/** The longest wait for an endpoint's answer. */
export const WEBHOOK_TIMEOUT_MS = injected('WEBHOOK_TIMEOUT_MS') ?? 15_000

/** The length of a lease: longer than an attempt and its recording, and the delay after a crash. */
export const LEASE_MS = 60_000
/**
 * A run starts no attempt later than this after its lease began. An attempt and its recording must end before
 * the lease does. They must also end within the 30 s that the platform gives to work after a handler has
 * returned.
 */
export const SENDING_MS = 10_000
/** How far the clock of the machine that wrote the due time may be ahead of this one. */
export const CLOCK_TOLERANCE_MS = 1_000

/**
 * The most attempts of a run at once, and the most deliveries to one endpoint in a run, since other endpoints
 * wait behind them. A Worker may have six connections that wait for an answer; the database uses one.
 */
export const AT_ONCE = 5

/**
 * The longest prompt answer. When no endpoint answers for this long, the run leaves the rest to another run.
 * An endpoint whose 2xx is later shares no run with others until it answers promptly.
 */
export const PROMPT_MS = 2_000

const FIRST_RETRY_MS = injected('FIRST_RETRY_MS') ?? 5 * SECOND_MS
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
/**
 * The largest share that is randomly added to a delay, so that deliveries that failed together spread out.
 */
export const JITTER = 0.2
/** The longest pause that an endpoint can request by Retry-After. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/** The pause of a failing destination after an attempt: the longest wait before a first retry. */
export const FAILING_PAUSE_MS = FIRST_RETRY_MS * (1 + JITTER)
/** The latest start of a probe, in seconds: probes of failing destinations spread out. */
export const MAX_PROBE_DELAY_S = injected('MAX_PROBE_DELAY_S') ?? 5

/**
 * The shortest and longest wait after a failed request for a proof, however many deliveries wait. Between
 * them the wait equals the time since the first failure, so it doubles.
 */
export const REQUEST_MS = 5 * MINUTE_MS
export const MAX_REQUEST_MS = 64 * REQUEST_MS

/**
 * A failure disables an endpoint this long after its first failure since its last 2xx, however few attempts
 * lie between them.
 */
export const FAILING_LIMIT_MS = injected('FAILING_LIMIT_MS') ?? 5 * DAY_MS
/** The most deliveries that may wait for an endpoint. The next sweep gives up the rest and disables it. */
export const MAX_WAITING = 10_000
/**
 * The most deliveries of rank 0 that may also wait. Others create them at no cost, so the rest is given up
 * without disabling the endpoint.
 */
export const MAX_FREE_WAITING = 1_000

/**
 * A token bucket: it contains up to `tokens` and gets one every `everyMs`. Each attempt takes one. An empty
 * bucket reserves its next token, if that comes within `aheadMs`.
 */
export type TokenBucket = { tokens: number; everyMs: number; aheadMs: number }

/** The buckets that limit attempts (take_tokens of schema/functions). */
export const BUCKETS = {
  /** Of a wallet at a host, at proven destinations. The next sweep comes when the bucket is full again. */
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
   * Of all hosts: attempts at destinations that are not proven. Deliveries that wait for this bucket already
   * have tokens of their hosts, which they would use all at once. So they may not wait long.
   */
  strangers: { tokens: 600, everyMs: 100, aheadMs: MINUTE_MS },
} as const satisfies Record<string, TokenBucket>
/** Reserved tokens lapse this long after their time, so that nobody saves them up. */
export const RESERVED_FOR_MS = 2 * MINUTE_MS
/** The wait after a rate-limited attempt. The bucket of a wallet at a host is full by then. */
export const REFUSED_MS = MINUTE_MS

/** A delivery is fresh for this long after it was enqueued. */
export const FRESH_MS = 10 * MINUTE_MS
/** A delivery due within this time is due soon: the longest wait before a second retry. */
export const SOON_MS = 5 * MINUTE_MS * (1 + JITTER)
/** The last retry of a delivery that may wake the database, if it is not fresh. */
export const LAST_WAKING_RETRY = 4
/**
 * The longest time from a failure to that retry. A proven destination that fails for longer is not likely to
 * answer then.
 */
const WAKING_MS =
  RETRY_DELAYS_MS.slice(0, LAST_WAKING_RETRY).reduce((sum, delay) => sum + delay, 0) * (1 + JITTER)
/**
 * Attempts a day that wake the database, for one destination, and for all destinations of paying and of
 * unpaid wallets. Soon retries of fresh deliveries at proven destinations do not count.
 */
export const WAKES_PER_DESTINATION = 4
export const WAKES_OF_PAYING = 16
export const WAKES_OF_UNPAID = 8

/** A healthy destination's stored time of the last attempt is this precise, so that few attempts write it. */
const NOTED_EVERY_MS = HOUR_MS

/** Failing destinations with an attempt within this time come after all others in a sweep. */
const TRIED_MS = 10 * MINUTE_MS
/** The most deliveries that one statement gives up. */
const GIVEN_UP_AT_ONCE = 10_000

/** Longer than any transaction: all deliveries enqueued before this are committed. */
const SETTLED_MS = MINUTE_MS
/** The most new deliveries that one statement counts, to find endpoints for which too many wait. */
const COUNTED_AT_ONCE = 50_000

/** The limits that functions of Postgres receive, such as lease_deliveries and record_attempts. */
export const SQL_LIMITS = {
  buckets: BUCKETS,
  perEndpoint: AT_ONCE,
  toleranceMs: CLOCK_TOLERANCE_MS,
  leaseMs: LEASE_MS,
  requestMs: REQUEST_MS,
  maxRequestMs: MAX_REQUEST_MS,
  refusedMs: REFUSED_MS,
  reservedForMs: RESERVED_FOR_MS,
  freshMs: FRESH_MS,
  soonMs: SOON_MS,
  failingPauseMs: FAILING_PAUSE_MS,
  failingLimitMs: FAILING_LIMIT_MS,
  notedEveryMs: NOTED_EVERY_MS,
  wakingMs: WAKING_MS,
  wakesPerDestination: WAKES_PER_DESTINATION,
  wakesOfPaying: WAKES_OF_PAYING,
  wakesOfUnpaid: WAKES_OF_UNPAID,
  triedMs: TRIED_MS,
  givenUpAtOnce: GIVEN_UP_AT_ONCE,
  settledMs: SETTLED_MS,
  countedAtOnce: COUNTED_AT_ONCE,
  maxWaiting: MAX_WAITING,
  maxFreeWaiting: MAX_FREE_WAITING,
}

import type { AgentEndpointStatus, CardStatus } from '../../schema/values.ts'
import { nextDaily, nextScheduledRun, RUN_PERIOD_MS } from '../clock/jobs.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'

/** An endpoint that has failed for this long is probed once a day instead of at each scheduled run. */
const SLOW_AFTER_MS = 3 * DAY_MS
/**
 * Days between the probes of an endpoint that has never answered: three probes in all, because unused names
 * cost nothing.
 */
const NEVER_LIVE_RETRY_DAYS = [1, 3]
/** An endpoint without success for this long is no longer probed, until it is named again. */
export const GIVEN_UP_AFTER_MS = 30 * DAY_MS
/** The longest Retry-After that is respected. */
export const MAX_RETRY_AFTER_MS = 7 * DAY_MS
/** Failures in a row that make an endpoint `down`. */
const FAILURES_UNTIL_DOWN = 2
/** A probe may be this late after its scheduled run. A probe shortly before a scheduled run replaces it. */
const RUN_LASTS_MS = HOUR_MS
/** Lifetime of the results of robots.txt and ard.json: until the same scheduled run of the next day. */
const ROBOTS_CACHED_MS = DAY_MS - RUN_LASTS_MS
/**
 * The lifetime with daily probes, which are 12 to 36 hours apart. Each of them must read the files, or they
 * would wait for another day.
 */
const ROBOTS_CACHED_DAILY_MS = DAY_MS / 2

/** The outcome of a probe. `busy`: the host asked to wait, which says nothing about the endpoint. */
export type Outcome =
  | { kind: 'live'; latencyMs: number; isAuthRequired: boolean }
  | { kind: 'failed' }
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'opted_out' }

/** The entity tag of an answer, and the status and text of the host's own agent card. */
export type Served = { etag: string | null; cardStatus: CardStatus; card: string | null }

/** The identifier in the host's ard.json, the agent that it names, and the file's entity tag. */
export type Published = {
  identifier: string | null
  identifies: string | null
  manifestEtag: string | null
}

export const NO_CARD: Served = { etag: null, cardStatus: 'none', card: null }

export const NO_NAME: Published = { identifier: null, identifies: null, manifestEtag: null }

/** The result of a probe. Members that were not read, or not changed, are undefined. */
export type Seen = {
  outcome: Outcome
  served?: Served | undefined
  published?: Published | undefined
  robots?: { isOptedOut: boolean } | undefined
}

/** The state of an endpoint, stored between probes. */
export type ProbeState = DayCounts &
  Served &
  Published & {
    status: AgentEndpointStatus
    checkedAt: Date | null
    latencyMs: number | null
    isAuthRequired: boolean
    failingSince: Date | null
    failures: number
    uptime30d: number | null
    robotsReadAt: Date | null
    isOptedOut: boolean
    /** Null if it is no longer probed, until it is named again. */
    nextProbeAt: Date | null
  }

/** The state of an endpoint that is not probed. */
const UNSEEN = {
  ...NO_CARD,
  status: 'unknown',
  latencyMs: null,
  isAuthRequired: false,
  countedDay: 0,
  dayChecks: [],
  daySuccesses: [],
  uptime30d: null,
} satisfies Partial<ProbeState>

/** Checks whether to read robots.txt before the probe. */
export function isRobotsDue(
  { robotsReadAt, isOptedOut }: ProbeState,
  { now, isUsed }: { now: Date; isUsed: boolean },
): boolean {
  const retentionMs = isUsed && !isOptedOut ? ROBOTS_CACHED_MS : ROBOTS_CACHED_DAILY_MS
  return robotsReadAt === null || now.getTime() - robotsReadAt.getTime() >= retentionMs
}

/** Returns the scheduled run of the next regular probe. */
export const scheduledRunAfter = (now: Date): Date =>
  new Date(nextScheduledRun(now.getTime() + RUN_PERIOD_MS - RUN_LASTS_MS))

/** Returns the 00:07 UTC nearest to `days` later, because daily probes run with the daily job. */
export const daysAfter = (now: Date, days: number): Date =>
  new Date(nextDaily(now.getTime() + days * DAY_MS - DAY_MS / 2))

/**
 * Computes the state to store after a probe. The next probe is at a scheduled run, so that all due probes
 * share a wake of the database.
 * @param isUsed whether an agent that names it was used lately; otherwise it is probed once a day
 */
export function nextState(
  before: ProbeState,
  { outcome, served, published, robots }: Seen,
  { now, isUsed }: { now: Date; isUsed: boolean },
): ProbeState {
  const regular = isUsed ? scheduledRunAfter(now) : daysAfter(now, 1)
  const read: ProbeState = {
    ...before,
    ...served,
    ...published,
    ...(robots === undefined ? {} : { isOptedOut: robots.isOptedOut, robotsReadAt: now }),
  }
  switch (outcome.kind) {
    case 'live':
      return {
        ...counted(read, now, true),
        status: 'live',
        latencyMs: outcome.latencyMs,
        isAuthRequired: outcome.isAuthRequired,
        failingSince: null,
        failures: 0,
        nextProbeAt: regular,
      }
    case 'failed':
      return failed(counted(read, now, false), now, regular)
    case 'busy':
      return {
        ...read,
        nextProbeAt: later(regular, new Date(nextScheduledRun(now.getTime() + outcome.retryAfterMs))),
      }
    case 'opted_out':
      return { ...read, ...UNSEEN, nextProbeAt: daysAfter(now, 1) }
  }
}

function counted(state: ProbeState, now: Date, isUp: boolean): ProbeState {
  const counts = countProbe(state, now, isUp)
  return { ...state, ...counts, uptime30d: uptimeOf(counts), checkedAt: now }
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)

function failed(state: ProbeState, now: Date, regular: Date): ProbeState {
  const failingSince = state.failingSince ?? now
  const failures = state.failures + 1
  const failing = { ...state, failingSince, failures }
  const nextProbeAt = nextOfFailing(failing, now, regular)
  if (nextProbeAt === null) return { ...failing, ...UNSEEN, nextProbeAt }
  return {
    ...failing,
    // While an endpoint is down, its card and keys can not be checked.
    ...(failures >= FAILURES_UNTIL_DOWN ? { status: 'down', ...NO_CARD } : {}),
    nextProbeAt,
  }
}

/** Returns the next probe of a failing endpoint; null for never. */
function nextOfFailing(
  { latencyMs, failures, failingSince }: { latencyMs: number | null; failures: number; failingSince: Date },
  now: Date,
  regular: Date,
): Date | null {
  if (latencyMs === null) {
    const days = NEVER_LIVE_RETRY_DAYS[failures - 1]
    return days === undefined ? null : daysAfter(now, days)
  }
  const failingMs = now.getTime() - failingSince.getTime()
  if (failingMs >= GIVEN_UP_AFTER_MS) return null
  return failingMs >= SLOW_AFTER_MS ? daysAfter(now, 1) : regular
}

/** The days for which probes are counted. */
export const UPTIME_DAYS = 30

/** Probes per day, newest first; `countedDay` is the newest day (since 1970, UTC). */
export type DayCounts = { countedDay: number; dayChecks: number[]; daySuccesses: number[] }

/** Counts a probe on its day, and drops days older than thirty. */
export function countProbe(counts: DayCounts, now: Date, isUp: boolean): DayCounts {
  const day = Math.floor(now.getTime() / DAY_MS)
  // A clock that was set back must not shift the days.
  const passed = Math.max(0, day - counts.countedDay)
  const [checks = 0, ...earlierChecks] = shifted(counts.dayChecks, passed)
  const [successes = 0, ...earlierSuccesses] = shifted(counts.daySuccesses, passed)
  return {
    countedDay: counts.countedDay + passed,
    dayChecks: [checks + 1, ...earlierChecks],
    daySuccesses: [successes + (isUp ? 1 : 0), ...earlierSuccesses],
  }
}

const shifted = (days: number[], passed: number): number[] =>
  [...Array<number>(Math.min(passed, UPTIME_DAYS)).fill(0), ...days].slice(0, UPTIME_DAYS)

/** Computes the share of successful probes, from 0 to 1; null without any. */
export function uptimeOf({ dayChecks, daySuccesses }: DayCounts): number | null {
  const checks = sum(dayChecks)
  return checks === 0 ? null : sum(daySuccesses) / checks
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

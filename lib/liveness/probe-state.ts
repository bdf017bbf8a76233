import type { AgentEndpointStatus, CardStatus } from '../../schema/values.ts'
import { nextDaily, nextTick, TICK_MS } from '../clock/kinds.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'

/** An endpoint that has failed for so long is looked at once a day instead of at each tick. */
const SLOW_AFTER_MS = 3 * DAY_MS
/**
 * How many days after each failure an endpoint that has never answered is looked at again: three looks in
 * all, since names that nobody serves are free.
 */
const NEVER_LIVE_RETRY_DAYS = [1, 3]
/** After so long without success an endpoint is not looked at any more, until it is named anew. */
const GIVEN_UP_AFTER_MS = 30 * DAY_MS
/** The longest that a host can ask us to wait. */
export const MAX_RETRY_AFTER_MS = 7 * DAY_MS
/** So many failures in a row make an endpoint `down`. */
const FAILURES_UNTIL_DOWN = 2
/** A look of a tick may come so long after it; after one within the hour before a tick that is left out. */
const TICK_LASTS_MS = HOUR_MS
/** How long what robots.txt and ard.json say is kept: until the same tick of the next day. */
const ROBOTS_KEPT_MS = DAY_MS - TICK_LASTS_MS
/**
 * The same where looks are daily: the second comes twelve to 36 hours after the first. It reads them in any
 * case, since what it leaves out waits for another day.
 */
const ROBOTS_KEPT_DAILY_MS = DAY_MS / 2

/** What a look came to. `busy`: the host asked for patience, which says nothing of the endpoint. */
export type Outcome =
  | { kind: 'live'; latencyMs: number; isAuthRequired: boolean }
  | { kind: 'failed' }
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'opted_out' }

/** What a host serves: the entity tag, and the agent card with its text if that is its own. */
export type Served = { etag: string | null; cardStatus: CardStatus; card: string | null }

/** How the host's own ard.json calls the agent here, which one that is, and that file's entity tag. */
export type Published = {
  identifier: string | null
  identifies: string | null
  manifestEtag: string | null
}

export const NO_CARD: Served = { etag: null, cardStatus: 'none', card: null }

export const NO_NAME: Published = { identifier: null, identifies: null, manifestEtag: null }

/** All that a look has found. What was not read, or not changed, is undefined. */
export type Seen = {
  outcome: Outcome
  served?: Served | undefined
  published?: Published | undefined
  robots?: { isOptedOut: boolean } | undefined
}

/** What is stored of an endpoint between looks. */
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
    /** Null: never again, unless it is named anew. */
    nextProbeAt: Date | null
  }

/** What is known of an endpoint that is not looked at: nothing. */
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

/** Whether robots.txt is to be read again before the endpoint is looked at. */
export function isRobotsDue(
  { robotsReadAt, isOptedOut }: ProbeState,
  { now, isUsed }: { now: Date; isUsed: boolean },
): boolean {
  const keptMs = isUsed && !isOptedOut ? ROBOTS_KEPT_MS : ROBOTS_KEPT_DAILY_MS
  return robotsReadAt === null || now.getTime() - robotsReadAt.getTime() >= keptMs
}

/** Returns the tick of the next regular look at an endpoint that is looked at at each tick. */
const tickAfter = (now: Date): Date => new Date(nextTick(now.getTime() + TICK_MS - TICK_LASTS_MS))

/** Returns the 00:07 UTC that is nearest to so many days later: daily looks come with the daily round. */
const daysAfter = (now: Date, days: number): Date =>
  new Date(nextDaily(now.getTime() + days * DAY_MS - DAY_MS / 2))

/**
 * Computes the state to store after a look. The next look is at a tick, so that all looks that are due share
 * the wakes of the database.
 * @param isUsed whether an agent that names it was used lately: otherwise it is looked at once a day
 */
export function nextState(
  before: ProbeState,
  { outcome, served, published, robots }: Seen,
  { now, isUsed }: { now: Date; isUsed: boolean },
): ProbeState {
  const regular = isUsed ? tickAfter(now) : daysAfter(now, 1)
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
        nextProbeAt: later(regular, new Date(nextTick(now.getTime() + outcome.retryAfterMs))),
      }
    case 'opted_out':
      return { ...read, ...UNSEEN, nextProbeAt: daysAfter(now, 1) }
  }
}

function counted(state: ProbeState, now: Date, isUp: boolean): ProbeState {
  const counts = countLook(state, now, isUp)
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
    // Of an endpoint that is down nobody can say whether its card and keys still stand.
    ...(failures >= FAILURES_UNTIL_DOWN ? { status: 'down', ...NO_CARD } : {}),
    nextProbeAt,
  }
}

/** When an endpoint that fails is looked at again; null: never. */
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

/** How many days of looks are counted. */
const UPTIME_DAYS = 30

/** Looks by day, newest first, and which day (since 1970, UTC) is the first. */
export type DayCounts = { countedDay: number; dayChecks: number[]; daySuccesses: number[] }

/** Counts a look on its day; days older than thirty fall out. */
export function countLook(counts: DayCounts, now: Date, isUp: boolean): DayCounts {
  const day = Math.floor(now.getTime() / DAY_MS)
  // A clock that was set back must not shift anything.
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

/** The share of looks that succeeded, from 0 to 1; null when there were none. */
export function uptimeOf({ dayChecks, daySuccesses }: DayCounts): number | null {
  const checks = sum(dayChecks)
  return checks === 0 ? null : sum(daySuccesses) / checks
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

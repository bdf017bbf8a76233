import type { AgentEndpointStatus, CardStatus } from '../../schema/values.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'

/** How often an endpoint is looked at. */
const INTERVAL_MS = 6 * HOUR_MS
/** How often one that has failed for {@link SLOW_AFTER_MS}. */
const SLOW_INTERVAL_MS = DAY_MS
const SLOW_AFTER_MS = 3 * DAY_MS
/**
 * How long after each failure an endpoint that has never answered is looked at again: three looks in all,
 * since names that nobody serves are free.
 */
const NEVER_LIVE_RETRIES_MS = [DAY_MS, 3 * DAY_MS]
/** After so long without success an endpoint is not looked at any more, until it is named anew. */
const GIVEN_UP_AFTER_MS = 30 * DAY_MS
/** Up to this share is added to a wait, so that endpoints registered together are not looked at together. */
const JITTER = 0.2
/** The longest that a host can ask us to wait. */
export const MAX_RETRY_AFTER_MS = 7 * DAY_MS
/** So many failures in a row make an endpoint `down`. */
const FAILURES_UNTIL_DOWN = 2
/** How long what robots.txt and ard.json say is kept. */
const ROBOTS_KEPT_MS = DAY_MS

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
export const isRobotsDue = ({ robotsReadAt }: ProbeState, now: Date): boolean =>
  robotsReadAt === null || now.getTime() - robotsReadAt.getTime() >= ROBOTS_KEPT_MS

/**
 * Computes the state to store after a look.
 * @param jitter from 0 to 1: the share of JITTER that is added to the wait
 */
export function nextState(
  before: ProbeState,
  { outcome, served, published, robots }: Seen,
  { now, jitter }: { now: Date; jitter: number },
): ProbeState {
  const after = (ms: number) => new Date(now.getTime() + Math.round(ms * (1 + JITTER * jitter)))
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
        nextProbeAt: after(INTERVAL_MS),
      }
    case 'failed':
      return failed(counted(read, now, false), now, after)
    case 'busy':
      return { ...read, nextProbeAt: after(Math.max(INTERVAL_MS, outcome.retryAfterMs)) }
    case 'opted_out':
      return { ...read, ...UNSEEN, nextProbeAt: after(ROBOTS_KEPT_MS) }
  }
}

function counted(state: ProbeState, now: Date, isUp: boolean): ProbeState {
  const counts = countLook(state, now, isUp)
  return { ...state, ...counts, uptime30d: uptimeOf(counts), checkedAt: now }
}

function failed(state: ProbeState, now: Date, after: (ms: number) => Date): ProbeState {
  const failingSince = state.failingSince ?? now
  const failures = state.failures + 1
  const failingMs = now.getTime() - failingSince.getTime()
  const failing = { ...state, failingSince, failures }
  const retryMs = state.latencyMs === null ? NEVER_LIVE_RETRIES_MS[failures - 1] : retryAfter(failingMs)
  if (retryMs === undefined) return { ...failing, ...UNSEEN, nextProbeAt: null }
  return {
    ...failing,
    // Of an endpoint that is down nobody can say whether its card and keys still stand.
    ...(failures >= FAILURES_UNTIL_DOWN ? { status: 'down', ...NO_CARD } : {}),
    nextProbeAt: after(retryMs),
  }
}

/** How long until an endpoint that has failed for so long is looked at again; undefined: never. */
function retryAfter(failingMs: number): number | undefined {
  if (failingMs >= GIVEN_UP_AFTER_MS) return undefined
  return failingMs >= SLOW_AFTER_MS ? SLOW_INTERVAL_MS : INTERVAL_MS
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

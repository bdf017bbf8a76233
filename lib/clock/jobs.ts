import { DAY_MS, HOUR_MS } from '../time.ts'

const MINUTE_MS = 60_000

/**
 * The jobs, in the order in which they run, each with its tolerance: how late in milliseconds is
 * still on time. Tolerances let several jobs share one wake of the database.
 */
export const TOLERANCE_MS = {
  /**
   * Signed transactions of vault and payments, and payments for requests. First, because money waits. Its
   * less urgent work is scheduled with a tolerance of its own.
   */
  settlement: 0,
  /** Deadlines of jobs (lib/work). Named `deadlines`, since `jobs` are what the Clock runs. */
  deadlines: 5 * MINUTE_MS,
  /** Ends and renewals of hires, which reads show at once anyway. */
  hires: 10 * MINUTE_MS,
  /** Verifications whose queue message was lost. */
  verifications: MINUTE_MS,
  /** Open positions of the vault, which the circuit breaker checks. */
  positions: 5 * MINUTE_MS,
  /**
   * Probes of priced routes and of agents’ endpoints. A first probe runs before the database sleeps again.
   * Named `looks`, not `probes`, since released Workers and stored schedules use that name.
   */
  looks: 3 * MINUTE_MS,
  /**
   * The catalog of priced routes, due a minute after a change. With its tolerance it runs before the
   * database, which the change has woken, sleeps again.
   */
  catalog: 4 * MINUTE_MS,
  /** The day's statistics, deletions and unsigned transactions. Every other job runs with it. */
  daily: 5 * MINUTE_MS,
  /** Webhook attempts. Last, to send the events of the other jobs too. */
  deliveries: MINUTE_MS,
} as const

export type Job = keyof typeof TOLERANCE_MS

export const JOBS = Object.keys(TOLERANCE_MS) as Job[]

/** When work is due (`at`) and when it must be done (`by`), in Unix milliseconds. */
export type Due = { at: number; by: number }

/** Returns the due time of a job with its tolerance. */
export const dueAt = (job: Job, at: number): Due => ({ at, by: at + TOLERANCE_MS[job] })

/** Returns the due time of work that continues at once, because one job run could not do all. */
export const dueAtOnce = (now: number): Due => ({ at: now, by: now })

/** Combines two due times: due at the earlier, to be done by the earlier deadline. */
export const soonest = (one: Due | undefined, other: Due | undefined): Due | undefined =>
  one && other ? { at: Math.min(one.at, other.at), by: Math.min(one.by, other.by) } : (one ?? other)

/**
 * The period of scheduled runs, at 00:07, 06:07, 12:07 and 18:07 UTC. Work that can wait is postponed to one
 * of them, so that it shares a wake. Without work only the daily job runs, at 00:07.
 */
export const RUN_PERIOD_MS = 6 * HOUR_MS
const RUN_OFFSET_MS = 7 * MINUTE_MS

const nextOf = (period: number, now: number): number =>
  (Math.floor((now - RUN_OFFSET_MS) / period) + 1) * period + RUN_OFFSET_MS

/** Returns the first scheduled run after a time, in Unix milliseconds. */
export const nextScheduledRun = (now: number): number => nextOf(RUN_PERIOD_MS, now)

/** Returns the first 00:07 UTC after a time, in Unix milliseconds. */
export const nextDaily = (now: number): number => nextOf(DAY_MS, now)

/**
 * The longest time from the start of a request to the commit of its write, by any Worker's clock. A daily run
 * that begins before the commit misses the write.
 */
const COMMITTED_MS = 10 * MINUTE_MS

/**
 * Checks whether work can be left to the next daily job run, without a call to the Clock. That run does all
 * due work and reads from the database when the rest is due. Deadlines are never left to it: the Clock
 * watches for outages only while it knows of one.
 */
export const isForDaily = (job: Job, { by }: Due, now: number): boolean =>
  job !== 'deadlines' && by >= dueAt('daily', nextDaily(now + COMMITTED_MS)).by

import { DAY_MS, HOUR_MS } from '../time.ts'

const MINUTE_MS = 60_000

/**
 * The kinds of due work, in the order in which their rounds run, each with its slack: how late in
 * milliseconds is still on time, so that several share one wake of the database.
 */
export const SLACK_MS = {
  /** What was signed: vault, payments, payments for requests. First, since money waits for it. */
  settlement: 0,
  /** Ends and renewals of hires, which readers see at once anyway. */
  hires: 10 * MINUTE_MS,
  /** Verifications whose queue message was lost. */
  verifications: MINUTE_MS,
  /** Open positions of the vault that the breaker looks at. */
  positions: 5 * MINUTE_MS,
  /** Looks at agents' endpoints: a first one comes before the database sleeps again. */
  looks: 3 * MINUTE_MS,
  /** The day's figures, deletions, what nobody signed; every other round runs with it. */
  daily: 5 * MINUTE_MS,
  /** Attempts of webhooks. Last: it sends what the other rounds have told, too. */
  deliveries: MINUTE_MS,
} as const

export type Kind = keyof typeof SLACK_MS

export const KINDS = Object.keys(SLACK_MS) as Kind[]

/** When work is due and by when it must have been done, both in Unix milliseconds. */
export type Due = { at: number; by: number }

/** Returns the due time of a kind with its slack. */
export const dueAt = (kind: Kind, at: number): Due => ({ at, by: at + SLACK_MS[kind] })

/** Returns the due time of work that is to go on without a pause: more waits than one round takes. */
export const dueAtOnce = (now: number): Due => ({ at: now, by: now })

/** Returns what serves both: it begins when the earlier is due, and ends in time for both. */
export const soonest = (one: Due | undefined, other: Due | undefined): Due | undefined =>
  one && other ? { at: Math.min(one.at, other.at), by: Math.min(one.by, other.by) } : (one ?? other)

/** Ticks are at 00:07, 06:07, 12:07 and 18:07 UTC. */
export const TICK_MS = 6 * HOUR_MS
const TICK_OFFSET_MS = 7 * MINUTE_MS

const nextOf = (period: number, now: number): number =>
  (Math.floor((now - TICK_OFFSET_MS) / period) + 1) * period + TICK_OFFSET_MS

/** Returns the first tick after a time, in Unix milliseconds. */
export const nextTick = (now: number): number => nextOf(TICK_MS, now)

/** Returns the first 00:07 UTC after a time, in Unix milliseconds. */
export const nextDaily = (now: number): number => nextOf(DAY_MS, now)

/** A write is committed, by any Worker's clock, so long after its request began at the latest. */
const COMMITTED_MS = 10 * MINUTE_MS

/**
 * Whether work that a write makes due needs no word to the Clock: the next daily round, which runs every
 * kind, does it in time, or reads from the database when it is due.
 */
export const isForDaily = ({ by }: Due, now: number): boolean =>
  by >= dueAt('daily', nextDaily(now + COMMITTED_MS)).by

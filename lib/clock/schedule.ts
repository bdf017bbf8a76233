import { type Due, dueAt, KINDS, type Kind, soonest } from './kinds.ts'

/** What the Clock knows: kept in its storage after every change. */
export type Schedule = {
  /** When each kind is next due; a kind that is left out is not. */
  dues: Dues
  /**
   * What was asked for while a kind's round runs, which may have read the database before that was
   * committed.
   */
  meanwhile: Dues
  /**
   * Runs of deliveries that are under way, by the id of their lease: when what they have leased is due again,
   * in Unix milliseconds. A run that ends well takes its entry away; one that is cut off can't.
   */
  leases: Record<string, number>
  /** How often the last rounds of a kind have failed one after the other. */
  failures: Partial<Record<Kind, number>>
  /** How often the last rounds of a kind have answered one after the other that it is due at once. */
  repeats: Partial<Record<Kind, number>>
}

type Dues = Partial<Record<Kind, Due>>

/** How long after a failed round the next one comes; after more failures, the last of these. */
const RETRY_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const

/**
 * After so many rounds in a row, each of which said that its kind is due at once, the next waits: by a fault
 * of ours they may get nowhere, and would keep the database awake for good.
 */
export const MAX_REPEATS = 100
const REPEATS_PAUSE_MS = 15 * 60_000

/** An alarm is at least so far ahead. */
const MIN_AHEAD_MS = 1_000

/** Returns the schedule of a Clock that knows nothing yet: every kind is due, since anything may be. */
export const newSchedule = (now: number): Schedule => ({
  dues: Object.fromEntries(KINDS.map((kind) => [kind, { at: now, by: now }])),
  meanwhile: {},
  leases: {},
  failures: {},
  repeats: {},
})

/**
 * Adds what was asked for.
 * @param isRunning whether the kind's round runs now
 * @returns the same schedule when it knows of work that is due as early
 */
export function withAsked(schedule: Schedule, kind: Kind, due: Due, isRunning: boolean): Schedule {
  const part = isRunning ? 'meanwhile' : 'dues'
  const known = schedule[part][kind]
  if (known && known.at <= due.at && known.by <= due.by) return schedule
  return { ...schedule, [part]: { ...schedule[part], [kind]: soonest(schedule[part][kind], due) } }
}

/** Makes what was asked for during rounds that were cut off due like all else. */
export const withMeanwhile = (schedule: Schedule): Schedule =>
  KINDS.reduce((sum, kind) => withNext(sum, kind, schedule.dues[kind]), { ...schedule, dues: {} })

/** Sets when a kind is next due: then, or when was asked for meanwhile. */
function withNext(schedule: Schedule, kind: Kind, then: Due | undefined): Schedule {
  const { [kind]: _, ...dues } = schedule.dues
  const { [kind]: asked, ...meanwhile } = schedule.meanwhile
  const due = soonest(then, asked)
  return { ...schedule, dues: due ? { ...dues, [kind]: due } : dues, meanwhile }
}

/** Adds a run that has begun to lease deliveries. */
export const withLease = (schedule: Schedule, id: string, until: number): Schedule => ({
  ...schedule,
  leases: { ...schedule.leases, [id]: until },
})

/** Takes away a run that has ended. */
export function withoutLease(schedule: Schedule, id: string): Schedule {
  const { [id]: _, ...leases } = schedule.leases
  return { ...schedule, leases }
}

/** Makes due what runs have leased that were cut off: their leases have ended. */
export function withEndedLeases(schedule: Schedule, now: number): Schedule {
  const entries = Object.entries(schedule.leases)
  const ended = entries.filter(([, until]) => until <= now).map(([, until]) => until)
  if (ended.length === 0) return schedule
  const at = Math.min(...ended)
  const leases = Object.fromEntries(entries.filter(([, until]) => until > now))
  return withAsked({ ...schedule, leases }, 'deliveries', { at, by: at }, false)
}

/**
 * Returns the kinds whose rounds run now, in their order: none while all may wait, for an alarm that comes
 * for nothing (a lease that has ended well) is no reason to wake the database. With the daily round, all but
 * those that wait after a failure. That of deliveries runs whenever one does: it sends what the others have
 * told, and makes attempts that were not worth a wake.
 */
export function dueKinds({ dues, failures }: Schedule, now: number): Kind[] {
  const isLate = (kind: Kind) => (dues[kind]?.by ?? Infinity) <= now
  const isDue = (kind: Kind) => (dues[kind]?.at ?? Infinity) <= now
  const runsAlong = (kind: Kind) => failures[kind] === undefined && (kind === 'deliveries' || isDue('daily'))
  return KINDS.some(isLate) ? KINDS.filter((kind) => isDue(kind) || runsAlong(kind)) : []
}

/**
 * Records a round's answer: when its kind is next due, if it is. It takes the place of what was asked for
 * before the round began, which the database knew.
 */
export function withAnswer(schedule: Schedule, kind: Kind, due: Due | undefined, now: number): Schedule {
  const { [kind]: _, ...failures } = schedule.failures
  const { [kind]: before = 0, ...others } = schedule.repeats
  const repeated = due && due.by <= now ? before + 1 : 0
  const isStuck = repeated === MAX_REPEATS
  const repeats = repeated === 0 || isStuck ? others : { ...others, [kind]: repeated }
  return withNext(
    { ...schedule, failures, repeats },
    kind,
    isStuck ? dueAt(kind, now + REPEATS_PAUSE_MS) : due,
  )
}

/** Records that a round has failed: it comes again later each time. */
export function withFailure(schedule: Schedule, kind: Kind, now: number): Schedule {
  const failed = schedule.failures[kind] ?? 0
  const wait = RETRY_MS[Math.min(failed, RETRY_MS.length - 1)] ?? 0
  const failures = { ...schedule.failures, [kind]: failed + 1 }
  return withNext({ ...schedule, failures }, kind, dueAt(kind, now + wait))
}

/** Returns when the alarm is to come: as late as is on time for every kind. */
export function alarmOf({ dues, leases }: Schedule, now: number): number {
  const latest = Math.min(...Object.values(dues).map(({ by }) => by), ...Object.values(leases))
  return Math.max(latest, now + MIN_AHEAD_MS)
}

import { type Due, dueAt, KINDS, type Kind, soonest } from './kinds.ts'

/** The state of the Clock, stored after every change. */
export type Schedule = {
  /** When each kind is next due; a missing kind is not due. */
  dues: Dues
  /**
   * Requests during a kind's job run, which may have read the database before their commit.
   */
  meanwhile: Dues
  /**
   * When the deliveries leased by a run are due again, in Unix milliseconds, by the id of the lease. A run
   * that ends normally removes its entry; a run that is cut off can't.
   */
  leases: Record<string, number>
  /** Failed job runs of each kind in a row. */
  failures: Partial<Record<Kind, number>>
  /** Job runs of each kind in a row that returned that it is due at once. */
  repeats: Partial<Record<Kind, number>>
}

type Dues = Partial<Record<Kind, Due>>

/** Delays after the first, second, third, and all further failed job runs. */
const RETRY_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const

/**
 * Job runs in a row, each due at once, after which the next one waits. A bug could otherwise repeat them
 * without progress and keep the database awake.
 */
export const MAX_REPEATS = 100
const REPEATS_PAUSE_MS = 15 * 60_000

/** The least delay of an alarm. */
const MIN_AHEAD_MS = 1_000

/** Returns the schedule of a new Clock, in which every kind is due. */
export const newSchedule = (now: number): Schedule => ({
  dues: Object.fromEntries(KINDS.map((kind) => [kind, { at: now, by: now }])),
  meanwhile: {},
  leases: {},
  failures: {},
  repeats: {},
})

/**
 * Adds a request.
 * @param isRunning whether the kind's job runs now
 * @returns the same schedule if the kind is already due as early
 */
export function withAsked(schedule: Schedule, kind: Kind, due: Due, isRunning: boolean): Schedule {
  const part = isRunning ? 'meanwhile' : 'dues'
  const known = schedule[part][kind]
  if (known && known.at <= due.at && known.by <= due.by) return schedule
  return { ...schedule, [part]: { ...schedule[part], [kind]: soonest(schedule[part][kind], due) } }
}

/** Adds the requests during job runs that were cut off to the due times. */
export const withMeanwhile = (schedule: Schedule): Schedule =>
  KINDS.reduce((sum, kind) => withNext(sum, kind, schedule.dues[kind]), { ...schedule, dues: {} })

/** Sets when a kind is next due: at `then`, or earlier by a request during its job run. */
function withNext(schedule: Schedule, kind: Kind, then: Due | undefined): Schedule {
  const { [kind]: _, ...dues } = schedule.dues
  const { [kind]: asked, ...meanwhile } = schedule.meanwhile
  const due = soonest(then, asked)
  return { ...schedule, dues: due ? { ...dues, [kind]: due } : dues, meanwhile }
}

/** Adds the lease of a run of deliveries. */
export const withLease = (schedule: Schedule, id: string, until: number): Schedule => ({
  ...schedule,
  leases: { ...schedule.leases, [id]: until },
})

/** Removes the lease of a run that has ended. */
export function withoutLease(schedule: Schedule, id: string): Schedule {
  const { [id]: _, ...leases } = schedule.leases
  return { ...schedule, leases }
}

/** Makes deliveries due whose leases have ended because their runs were cut off. */
export function withEndedLeases(schedule: Schedule, now: number): Schedule {
  const entries = Object.entries(schedule.leases)
  const ended = entries.filter(([, until]) => until <= now).map(([, until]) => until)
  if (ended.length === 0) return schedule
  const at = Math.min(...ended)
  const leases = Object.fromEntries(entries.filter(([, until]) => until > now))
  return withAsked({ ...schedule, leases }, 'deliveries', { at, by: at }, false)
}

/**
 * Returns the kinds whose jobs run now, in their order. It is empty while all can wait, so that an alarm
 * without due work (after a lease that ended normally) does not wake the database. With the daily job, every
 * kind runs that is not waiting after a failure. Deliveries run with any other job: they send its events,
 * and make attempts that were not worth a wake.
 */
export function dueKinds({ dues, failures }: Schedule, now: number): Kind[] {
  const isLate = (kind: Kind) => (dues[kind]?.by ?? Infinity) <= now
  const isDue = (kind: Kind) => (dues[kind]?.at ?? Infinity) <= now
  const runsAlong = (kind: Kind) => failures[kind] === undefined && (kind === 'deliveries' || isDue('daily'))
  return KINDS.some(isLate) ? KINDS.filter((kind) => isDue(kind) || runsAlong(kind)) : []
}

/**
 * Records the result of a job run: when its kind is next due, if it is. It replaces the requests from before
 * the run, which the database already had.
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

/** Records a failed job run; the delay grows with each failure. */
export function withFailure(schedule: Schedule, kind: Kind, now: number): Schedule {
  const failed = schedule.failures[kind] ?? 0
  const wait = RETRY_MS[Math.min(failed, RETRY_MS.length - 1)] ?? 0
  const failures = { ...schedule.failures, [kind]: failed + 1 }
  return withNext({ ...schedule, failures }, kind, dueAt(kind, now + wait))
}

/** Returns the time of the alarm: as late as the tolerance of every kind allows. */
export function alarmOf({ dues, leases }: Schedule, now: number): number {
  const latest = Math.min(...Object.values(dues).map(({ by }) => by), ...Object.values(leases))
  return Math.max(latest, now + MIN_AHEAD_MS)
}

import { type Due, dueAt, JOBS, type Job, soonest } from './jobs.ts'

/** The state of the Clock, stored after every change. */
export type Schedule = {
  /** When each job is next due; a missing job is not due. */
  dues: Dues
  /**
   * Requests during a job's run, which may have read the database before their commit.
   */
  meanwhile: Dues
  /**
   * When the deliveries leased by a run are due again, in Unix milliseconds, by the id of the lease. A run
   * that ends normally removes its entry; a run that is cut off can't.
   */
  leases: Record<string, number>
  /** Failed runs of each job in a row. */
  failures: Partial<Record<Job, number>>
  /** Runs of each job in a row that returned that the job is due at once. */
  repeats: Partial<Record<Job, number>>
}

type Dues = Partial<Record<Job, Due>>

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

/** Returns the schedule of a new Clock, in which every job is due. */
export const newSchedule = (now: number): Schedule => ({
  dues: Object.fromEntries(JOBS.map((job) => [job, { at: now, by: now }])),
  meanwhile: {},
  leases: {},
  failures: {},
  repeats: {},
})

/**
 * Adds a request.
 * @param isRunning whether the job runs now
 * @returns the same schedule if the job is already due as early
 */
export function withAsked(schedule: Schedule, job: Job, due: Due, isRunning: boolean): Schedule {
  const part = isRunning ? 'meanwhile' : 'dues'
  const known = schedule[part][job]
  if (known && known.at <= due.at && known.by <= due.by) return schedule
  return { ...schedule, [part]: { ...schedule[part], [job]: soonest(schedule[part][job], due) } }
}

/** Adds the requests during job runs that were cut off to the due times. */
export const withMeanwhile = (schedule: Schedule): Schedule =>
  JOBS.reduce((sum, job) => withNext(sum, job, schedule.dues[job]), { ...schedule, dues: {} })

/** Sets when a job is next due: at `then`, or earlier by a request during its job run. */
function withNext(schedule: Schedule, job: Job, then: Due | undefined): Schedule {
  const { [job]: _, ...dues } = schedule.dues
  const { [job]: asked, ...meanwhile } = schedule.meanwhile
  const due = soonest(then, asked)
  return { ...schedule, dues: due ? { ...dues, [job]: due } : dues, meanwhile }
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
 * Returns the jobs that run now, in their order. It is empty while all can wait, so that an alarm
 * without due work (after a lease that ended normally) does not wake the database. With the daily job, every
 * job runs that is not waiting after a failure. Deliveries run with any other job: they send its events,
 * and make attempts that were not worth a wake.
 */
export function dueJobs({ dues, failures }: Schedule, now: number): Job[] {
  const isLate = (job: Job) => (dues[job]?.by ?? Infinity) <= now
  const isDue = (job: Job) => (dues[job]?.at ?? Infinity) <= now
  const runsAlong = (job: Job) => failures[job] === undefined && (job === 'deliveries' || isDue('daily'))
  return JOBS.some(isLate) ? JOBS.filter((job) => isDue(job) || runsAlong(job)) : []
}

/**
 * Records the result of a job run: when its job is next due, if it is. It replaces the requests from before
 * the run, which the database already had.
 */
export function withAnswer(schedule: Schedule, job: Job, due: Due | undefined, now: number): Schedule {
  const { [job]: _, ...failures } = schedule.failures
  const { [job]: before = 0, ...others } = schedule.repeats
  const repeated = due && due.by <= now ? before + 1 : 0
  const isStuck = repeated === MAX_REPEATS
  const repeats = repeated === 0 || isStuck ? others : { ...others, [job]: repeated }
  return withNext({ ...schedule, failures, repeats }, job, isStuck ? dueAt(job, now + REPEATS_PAUSE_MS) : due)
}

/** Records a failed job run; the delay grows with each failure. */
export function withFailure(schedule: Schedule, job: Job, now: number): Schedule {
  const failed = schedule.failures[job] ?? 0
  const wait = RETRY_MS[Math.min(failed, RETRY_MS.length - 1)] ?? 0
  const failures = { ...schedule.failures, [job]: failed + 1 }
  return withNext({ ...schedule, failures }, job, dueAt(job, now + wait))
}

/** Returns the time of the alarm: as late as the tolerance of every job allows. */
export function alarmOf({ dues, leases }: Schedule, now: number): number {
  const latest = Math.min(...Object.values(dues).map(({ by }) => by), ...Object.values(leases))
  return Math.max(latest, now + MIN_AHEAD_MS)
}

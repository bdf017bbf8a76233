import { ApiError } from '../api-error.ts'
import { reasonOf } from '../db/failures.ts'
import { injected } from '../injected.ts'
import { logError } from '../runtime/log.ts'
import type { SubrequestCounter } from '../runtime/subrequests.ts'
import { within } from '../time.ts'
import { type Due, dueAt, isForDaily, type Job } from './jobs.ts'
import type { Outage } from './outages.ts'

/** The Clock's methods for leases, for runs of the jobs Worker. */
type LeaseService = {
  beginLease(id: string, until: number): Promise<void>
  endLease(id: string): Promise<void>
}

/**
 * The Clock's method for Workers that make work due: an entrypoint of the jobs Worker. During an upgrade,
 * Workers of two releases call each other, so methods keep the names that the first release gave them.
 */
export type ClockService = {
  /** Schedules a job, unless it is already due earlier. */
  wakeBy(job: Job, due: Due): Promise<void>
  /** Reports that the Worker `work` answers; called by its cron. */
  answered(): Promise<void>
  /** Returns the outages up to a time (Unix milliseconds), in order, without overlaps. */
  outages(until: number): Promise<Outage[]>
}

/** Returns the Clock of a Worker's binding. */
export function clockOf({ CLOCK }: { CLOCK: unknown }): ClockService {
  // wrangler's types know the entrypoint's name, not its methods.
  return CLOCK as ClockService
}

/** Returns the same; each call counts as a subrequest to another Worker. */
export function clockIn(env: { CLOCK: unknown }, subrequests: SubrequestCounter): ClockService {
  const clock = clockOf(env)
  return {
    wakeBy(job, due) {
      subrequests.count('worker')
      return clock.wakeBy(job, due)
    },
    answered() {
      subrequests.count('worker')
      return clock.answered()
    },
    outages(until) {
      subrequests.count('worker')
      return clock.outages(until)
    },
  }
}

/**
 * Schedules a job at a time, without delaying the answer. Call it after the commit, because the job run
 * reads the work from the database. If the call is lost, the daily job run does the work. Work that is due
 * after that run is not scheduled. `by` overrides the job's tolerance.
 */
export type ScheduleJob = (job: Job, at: Date, by?: Date) => void

/** Tells the Clock about leases of deliveries, in case a run is cut off. */
export type Leases = {
  /** Called before the run leases deliveries: those leased by `id` are due again at `until`. */
  begin: (id: string, until: Date) => Promise<void>
  /** Called after the run has recorded the outcome of all of them. */
  end: (id: string) => Promise<void>
}

/**
 * Schedules a job that checks later on something that can't be taken back, such as a transaction. Call it
 * after that is recorded and before it is sent.
 * @throws ApiError dependency_unavailable if the Clock does not answer
 */
export type ScheduleOrFail = (job: Job, at: Date) => Promise<void>

const TRIES = 3
const CLOCK_TIMEOUT_MS = injected('CLOCK_TIMEOUT_MS') ?? 5_000

async function persistently(call: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await within(CLOCK_TIMEOUT_MS, call())
    } catch (error) {
      if (tried === TRIES) throw error
    }
  }
}

const callClock = (clock: ClockService, job: Job, due: Due): Promise<void> =>
  persistently(() => clock.wakeBy(job, due))

const dueOf = (job: Job, at: Date, by?: Date): Due =>
  by ? { at: at.getTime(), by: by.getTime() } : dueAt(job, at.getTime())

/** Makes a function that schedules jobs. @param background continues work after the answer */
export const schedulerOf =
  (clock: ClockService, background: (work: Promise<unknown>) => void, now: () => Date): ScheduleJob =>
  (job, at, by) => {
    const due = dueOf(job, at, by)
    if (isForDaily(job, due, now().getTime())) return
    background(
      callClock(clock, job, due).catch((error: unknown) => logError({ clock: job, reason: reasonOf(error) })),
    )
  }

/** Makes a function that schedules jobs and fails if the Clock does not answer. */
export const scheduleOrFailBy =
  (clock: ClockService): ScheduleOrFail =>
  async (job, at) => {
    try {
      await callClock(clock, job, dueOf(job, at))
    } catch (cause) {
      throw new ApiError('dependency_unavailable', 'The service could not schedule the work. Try again.', {
        cause,
      })
    }
  }

/** Makes Leases. A failed call is only logged, because the daily job run finds the deliveries. */
export const leasesOf = (clock: LeaseService): Leases => {
  const logged = (call: () => Promise<void>) =>
    persistently(call).catch((error: unknown) => logError({ clock: 'leases', reason: reasonOf(error) }))
  return {
    begin: (id, until) => logged(() => clock.beginLease(id, until.getTime())),
    end: (id) => logged(() => clock.endLease(id)),
  }
}

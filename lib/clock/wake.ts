import { ApiError } from '../api-error.ts'
import { reasonOf } from '../db/failures.ts'
import { logError } from '../runtime/log.ts'
import type { SubrequestCounter } from '../runtime/subrequests.ts'
import { within } from '../time.ts'
import { type Due, dueAt, isForDaily, type Kind } from './kinds.ts'

/** The Clock's methods for leases, for runs of the jobs Worker. */
type LeaseService = {
  beginLease(id: string, until: number): Promise<void>
  endLease(id: string): Promise<void>
}

/** The Clock's method for Workers that make work due: an entrypoint of the jobs Worker. */
export type ClockService = {
  /** Schedules a job, unless it is already due earlier. */
  wakeBy(kind: Kind, due: Due): Promise<void>
}

/** Returns the Clock of a Worker's binding. Each call counts as a subrequest to another Worker. */
export function clockIn({ CLOCK }: { CLOCK: unknown }, subrequests: SubrequestCounter): ClockService {
  // wrangler's types know the entrypoint's name, not its methods.
  const clock = CLOCK as ClockService
  return {
    wakeBy(kind, due) {
      subrequests.count('worker')
      return clock.wakeBy(kind, due)
    },
  }
}

/**
 * Schedules a job at a time, without delaying the answer. Call it after the commit, because the job run
 * reads the work from the database. If the call is lost, the daily job run does the work. Work that is due
 * after that run is not scheduled. `by` overrides the kind's tolerance.
 */
export type WakeBy = (kind: Kind, at: Date, by?: Date) => void

/** Tells the Clock about leases of deliveries, in case a run is cut off. */
export type Leases = {
  /** Called before the run leases deliveries: those leased by `id` are due again at `until`. */
  begin: (id: string, until: Date) => Promise<void>
  /** Called after the run has recorded the outcome of all of them. */
  end: (id: string) => Promise<void>
}

/**
 * Schedules a job before something is done that must not be forgotten, but after it is recorded.
 * @throws ApiError dependency_unavailable
 */
export type Announce = (kind: Kind, at: Date) => Promise<void>

const TRIES = 3
const CLOCK_TIMEOUT_MS = 5_000

async function persistently(call: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await within(CLOCK_TIMEOUT_MS, call())
    } catch (error) {
      if (tried === TRIES) throw error
    }
  }
}

const wake = (clock: ClockService, kind: Kind, due: Due): Promise<void> =>
  persistently(() => clock.wakeBy(kind, due))

const dueOf = (kind: Kind, at: Date, by?: Date): Due =>
  by ? { at: at.getTime(), by: by.getTime() } : dueAt(kind, at.getTime())

/** Makes a WakeBy. @param background continues work after the answer */
export const wakeByOf =
  (clock: ClockService, background: (work: Promise<unknown>) => void, now: () => Date): WakeBy =>
  (kind, at, by) => {
    const due = dueOf(kind, at, by)
    if (isForDaily(due, now().getTime())) return
    background(
      wake(clock, kind, due).catch((error: unknown) => logError({ clock: kind, reason: reasonOf(error) })),
    )
  }

export const announceTo =
  (clock: ClockService): Announce =>
  async (kind, at) => {
    try {
      await wake(clock, kind, dueOf(kind, at))
    } catch (cause) {
      throw new ApiError('dependency_unavailable', 'The service could not schedule the work. Try again.', {
        cause,
      })
    }
  }

/** Makes Leases. A failed call is only logged, because the daily job run finds the deliveries. */
export const leasesOf = (clock: LeaseService): Leases => {
  const told = (call: () => Promise<void>) =>
    persistently(call).catch((error: unknown) => logError({ clock: 'leases', reason: reasonOf(error) }))
  return {
    begin: (id, until) => told(() => clock.beginLease(id, until.getTime())),
    end: (id) => told(() => clock.endLease(id)),
  }
}

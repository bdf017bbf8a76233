import { reasonOf } from '../db/failures.ts'
import { logError } from '../log.ts'
import type { Meter } from '../meter.ts'
import { Refusal } from '../refusal.ts'
import { within } from '../time.ts'
import { type Due, dueAt, isForDaily, type Kind } from './kinds.ts'

/** The Clock, as runs of the jobs Worker tell it of their leases. */
type LeaseService = {
  beginLease(id: string, until: number): Promise<void>
  endLease(id: string): Promise<void>
}

/** The Clock, as Workers that make work due are bound to it: an entrypoint of the jobs Worker. */
export type ClockService = {
  /** Sets the alarm for a kind of work where none is earlier. */
  wakeBy(kind: Kind, due: Due): Promise<void>
}

/** The Clock that a Worker is bound to. Each call counts as one of another Worker. */
export function clockIn({ CLOCK }: { CLOCK: unknown }, meter: Meter): ClockService {
  // wrangler's types know the entrypoint's name, not its methods.
  const clock = CLOCK as ClockService
  return {
    wakeBy(kind, due) {
      meter.count('worker')
      return clock.wakeBy(kind, due)
    },
  }
}

/**
 * Says, after the answer, that work is due at a time. It is called once what is due is committed: the
 * round of that time asks the database what it is. What could not be said, the daily round finds; of what
 * is due after that, nothing is said. `by`: until when it may wait for another wake, where that is not the
 * kind's slack.
 */
export type WakeBy = (kind: Kind, at: Date, by?: Date) => void

/** How runs of deliveries tell the Clock what to do if they are cut off. */
export type Leases = {
  /** Begun before anything is leased: what the run has leased by `id` is due again at a time. */
  begin: (id: string, until: Date) => Promise<void>
  /** Told by a run that has recorded what became of all of it. */
  end: (id: string) => Promise<void>
}

/**
 * Says it before something is done that must not be forgotten, and once that is recorded.
 * @throws Refusal dependency_unavailable
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

/** @param background lets work outlive the answer */
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
      throw new Refusal('dependency_unavailable', 'The work could not be planned.', { cause })
    }
  }

/** How a run tells a Clock of its leases. What could not be told is logged: the daily round finds it. */
export const leasesOf = (clock: LeaseService): Leases => {
  const told = (call: () => Promise<void>) =>
    persistently(call).catch((error: unknown) => logError({ clock: 'leases', reason: reasonOf(error) }))
  return {
    begin: (id, until) => told(() => clock.beginLease(id, until.getTime())),
    end: (id) => told(() => clock.endLease(id)),
  }
}

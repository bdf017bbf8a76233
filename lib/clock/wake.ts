import { reasonOf } from '../db/failures.ts'
import { logError } from '../log.ts'
import type { Meter } from '../meter.ts'
import { Refusal } from '../refusal.ts'
import { within } from '../time.ts'
import { type Due, dueAt, type Kind } from './kinds.ts'

/** The Clock, as Workers that make work due are bound to it: an entrypoint of the jobs Worker. */
export type ClockService = {
  /** Sets the alarm for a kind of work where none is earlier. */
  wakeBy(kind: Kind, due: Due): Promise<void>
}

/**
 * The Clock that a Worker is bound to. Each call counts as one of another Worker.
 */
export function clockIn({ CLOCK }: { CLOCK: unknown }, meter?: Meter): ClockService {
  // wrangler's types know the entrypoint's name, not its methods.
  const clock = CLOCK as ClockService
  return {
    wakeBy(kind, due) {
      meter?.count('worker')
      return clock.wakeBy(kind, due)
    },
  }
}

/**
 * Says, after the answer, that work is due at a time. It is called once what is due is committed: the round of
 * that time asks the database what it is. What could not be said, the daily round finds.
 */
export type WakeBy = (kind: Kind, at: Date) => void

/**
 * Says it before something is done that must not be forgotten.
 * @throws Refusal dependency_unavailable
 */
export type Announce = (kind: Kind, at: Date) => Promise<void>

const TRIES = 3
const TRY_MS = 5_000

async function wake(clock: ClockService, kind: Kind, at: Date): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await within(TRY_MS, clock.wakeBy(kind, dueAt(kind, at.getTime())))
    } catch (error) {
      if (tried === TRIES) throw error
    }
  }
}

/** @param background lets work outlive the answer */
export const wakeByOf =
  (clock: ClockService, background: (work: Promise<unknown>) => void): WakeBy =>
  (kind, at) =>
    background(
      wake(clock, kind, at).catch((error: unknown) => logError({ clock: kind, reason: reasonOf(error) })),
    )

export const announceTo =
  (clock: ClockService): Announce =>
  async (kind, at) => {
    try {
      await wake(clock, kind, at)
    } catch (cause) {
      throw new Refusal('dependency_unavailable', 'The work could not be planned.', { cause })
    }
  }

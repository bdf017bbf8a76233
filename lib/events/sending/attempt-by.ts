import { nextTick } from '../../clock/kinds.ts'
import { MINUTE_MS, SOON_MS } from '../limits.ts'

/**
 * Returns by when an attempt that is due at a time must be made: by the next tick if the database is not
 * woken for it, else at once when it is soon, and a minute later when it is not.
 */
export function attemptBy(at: Date, { now, isAwaited }: { now: Date; isAwaited: boolean }): Date {
  if (!isAwaited) return new Date(nextTick(at.getTime()))
  return at.getTime() - now.getTime() <= SOON_MS ? at : new Date(at.getTime() + MINUTE_MS)
}

import { nextScheduledRun } from '../../clock/jobs.ts'
import { MINUTE_MS, SOON_MS } from '../limits.ts'

/**
 * Returns the latest time for an attempt that is due at a time. If the database is not woken for it, that is
 * the next scheduled run. Otherwise it is the due time, or a minute later if that is not soon.
 */
export function attemptBy(at: Date, { now, isUrgent }: { now: Date; isUrgent: boolean }): Date {
  if (!isUrgent) return new Date(nextScheduledRun(at.getTime()))
  return at.getTime() - now.getTime() <= SOON_MS ? at : new Date(at.getTime() + MINUTE_MS)
}

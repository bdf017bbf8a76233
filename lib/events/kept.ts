import { DAY_MS } from '../time.ts'

/** Deliveries, and the records of their destinations, are kept for less: they refer to their events. */
const LEAST_DAYS = 60

/**
 * Reads how long events that are not of money are kept, in milliseconds.
 * @throws TypeError for anything but whole days, so that a setting that is missing deletes nothing
 */
export function parseEventsKept(days: string): number {
  if (!/^[0-9]{1,5}$/.test(days) || Number(days) < LEAST_DAYS)
    throw new TypeError(`EVENTS_KEPT_DAYS must be whole days, ${LEAST_DAYS} at least`)
  return Number(days) * DAY_MS
}

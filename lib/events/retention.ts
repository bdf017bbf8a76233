import { DAY_MS } from '../time.ts'

/** Events stay longer than deliveries and records of destinations, which refer to them. */
const LEAST_DAYS = 60

/**
 * Parses the retention of events other than events of money.
 * @returns the retention in milliseconds
 * @throws TypeError for anything but whole days, so that a missing setting deletes nothing
 */
export function parseEventRetention(days: string): number {
  if (!/^[0-9]{1,5}$/.test(days) || Number(days) < LEAST_DAYS)
    throw new TypeError(`EVENTS_KEPT_DAYS must be a whole number of days, at least ${LEAST_DAYS}`)
  return Number(days) * DAY_MS
}

import { type DeletionDeps, deletedAll } from '../clock/job-steps.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'
import {
  deleteFullBuckets,
  deleteOldAttempts,
  deleteOldDeliveries,
  deleteOldEvents,
  deleteOldHosts,
  deleteOldTargets,
} from './deletion-queries.ts'

/** The retention of deliveries and attempts. A delivery that is held this long is deleted. */
const DELIVERIES_KEPT_MS = 30 * DAY_MS
/**
 * The retention of a destination's row after its last attempt: longer than the term of a hire, which ends
 * with an event.
 */
const TARGETS_KEPT_MS = 45 * DAY_MS
/** Each counter is for one day. */
const HOSTS_KEPT_MS = 25 * HOUR_MS

export type EventDeletionDeps = DeletionDeps & {
  /** Returns the retention of events other than events of money, in milliseconds. */
  eventsKeptMs: () => number
}

/** Returns the steps that delete old events, deliveries, attempts and records of receivers. */
export function eventDeletions({ db, now, elapsed, eventsKeptMs }: EventDeletionDeps) {
  const step =
    (deleteOld: typeof deleteOldEvents, keptMs: () => number) =>
    async (): Promise<{ deleted: number; more: boolean }> => {
      const before = new Date(now.getTime() - keptMs())
      return deletedAll(elapsed, (limit) => deleteOld(db, before, limit))
    }
  return {
    oldDeliveries: step(deleteOldDeliveries, () => DELIVERIES_KEPT_MS),
    oldAttempts: step(deleteOldAttempts, () => DELIVERIES_KEPT_MS),
    oldEvents: step(deleteOldEvents, eventsKeptMs),
    oldTargets: step(deleteOldTargets, () => TARGETS_KEPT_MS),
    fullBuckets: step(deleteFullBuckets, () => HOUR_MS),
    oldHosts: step(deleteOldHosts, () => HOSTS_KEPT_MS),
  }
}

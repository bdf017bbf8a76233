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
export const DELIVERY_RETENTION_MS = 30 * DAY_MS
/**
 * The retention of a destination's row after its last attempt: longer than the term of a hire, which ends
 * with an event.
 */
const DESTINATION_RETENTION_MS = 45 * DAY_MS
/** Each counter is for one day. */
const HOST_RETENTION_MS = 25 * HOUR_MS

export type EventDeletionDeps = DeletionDeps & {
  /** Returns the retention of events other than events of money, in milliseconds. */
  eventRetentionMs: () => number
}

/** Returns the steps that delete old events, deliveries, attempts and records of receivers. */
export function eventDeletions({ db, now, elapsed, eventRetentionMs }: EventDeletionDeps) {
  const step =
    (deleteOld: typeof deleteOldEvents, retentionMs: () => number) =>
    async (): Promise<{ deleted: number; more: boolean }> => {
      const before = new Date(now.getTime() - retentionMs())
      return deletedAll(elapsed, (limit) => deleteOld(db, before, limit))
    }
  return {
    oldDeliveries: step(deleteOldDeliveries, () => DELIVERY_RETENTION_MS),
    oldAttempts: step(deleteOldAttempts, () => DELIVERY_RETENTION_MS),
    oldEvents: step(deleteOldEvents, eventRetentionMs),
    oldTargets: step(deleteOldTargets, () => DESTINATION_RETENTION_MS),
    fullBuckets: step(deleteFullBuckets, () => HOUR_MS),
    oldHosts: step(deleteOldHosts, () => HOST_RETENTION_MS),
  }
}

import { deletedAll, type SweepDeps } from '../clock/job-steps.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'
import {
  deleteFullBuckets,
  deleteOldAttempts,
  deleteOldDeliveries,
  deleteOldEvents,
  deleteOldHosts,
  deleteOldTargets,
} from './sweep-queries.ts'

/** Deliveries and their attempts are kept this long; a delivery that is held this long is given up. */
const DELIVERIES_KEPT_MS = 30 * DAY_MS
/** So is the row of a destination, after its last attempt: longer than a hire's term, which is an event. */
const TARGETS_KEPT_MS = 45 * DAY_MS
/** Counters are of a day. */
const HOSTS_KEPT_MS = 25 * HOUR_MS

export type EventSweepDeps = SweepDeps & {
  /** How long events that are not of money are kept. */
  eventsKeptMs: () => number
}

/** The steps that delete what is too old: events, deliveries and what is known of their receivers. */
export function eventSweeps({ db, now, elapsed, eventsKeptMs }: EventSweepDeps) {
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

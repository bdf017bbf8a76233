import { unlistIdleAgents } from '../../lib/agents/listing/unlist-idle.ts'
import { deleteSpentNonces } from '../../lib/auth/queries.ts'
import { resealSecrets } from '../../lib/events/secrets/reseal.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import {
  deleteOldAttempts,
  deleteOldDeliveries,
  deleteOldEvents,
  deleteOldHosts,
  deleteOldTargets,
} from '../../lib/events/sweep-queries.ts'
import { repeated, runSteps } from '../../lib/http/steps.ts'
import { recordDay } from '../../lib/marketplace/history.ts'
import { deleteOldAddresses } from '../../lib/quotas/queries.ts'
import { recheckProofs } from '../../lib/reputation/attestations/recheck.ts'
import type { ReviewDeps } from '../../lib/reputation/attestations/review.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'

/** Deliveries and their attempts are kept this long; a delivery that is held this long is given up. */
const DELIVERIES_KEPT_MS = 30 * DAY_MS
/** So is the row of a target, after its last attempt: longer than a hire's term, which is an event. */
const TARGETS_KEPT_MS = 45 * DAY_MS
/** Counters are of a minute, an hour or a day. */
const HOSTS_KEPT_MS = 25 * HOUR_MS
/** Counted from the beginning of the hour that an address was counted in. */
const ADDRESSES_KEPT_MS = HOUR_MS

export type DailyDeps = ReviewDeps &
  DeliverDeps & {
    /** How long events that are not of money are kept. */
    eventsKeptMs: () => number
  }

/**
 * Records the figures of a new day, unlists idle agents, seals secrets of webhook endpoints anew under the
 * newest key, deletes rows that have outlived their use and looks again at proofs on the chain. Each step is
 * idempotent, bounded, and safe to run twice at once.
 * @returns whether a step has left some of it
 * @throws Error that names the steps that failed
 */
export async function daily(deps: DailyDeps): Promise<{ more: boolean }> {
  const { db, now, elapsed, eventsKeptMs } = deps
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return runSteps({
    statsDay: async () => ({ recorded: await recordDay(db, now) }),
    spentNonces: () => deleteAll(elapsed, (limit) => deleteSpentNonces(db, now, limit)),
    idleAgents: () => unlistIdleAgents(deps),
    secrets: () => resealSecrets(deps),
    oldDeliveries: () =>
      deleteAll(elapsed, (limit) => deleteOldDeliveries(db, ago(DELIVERIES_KEPT_MS), limit)),
    oldAttempts: () => deleteAll(elapsed, (limit) => deleteOldAttempts(db, ago(DELIVERIES_KEPT_MS), limit)),
    oldEvents: async () => {
      const before = ago(eventsKeptMs())
      return deleteAll(elapsed, (limit) => deleteOldEvents(db, before, limit))
    },
    oldTargets: () => deleteAll(elapsed, (limit) => deleteOldTargets(db, ago(TARGETS_KEPT_MS), limit)),
    oldHosts: () => deleteAll(elapsed, (limit) => deleteOldHosts(db, ago(HOSTS_KEPT_MS), limit)),
    oldAddresses: () => deleteAll(elapsed, (limit) => deleteOldAddresses(db, ago(ADDRESSES_KEPT_MS), limit)),
    proofs: () => recheckProofs(deps),
  })
}

/** As many rows as one statement deletes. */
const MAX_PER_STATEMENT = 10_000

/** Deletes until nothing is left to delete, or the time is up: faster than anybody can make rows. */
async function deleteAll(elapsed: () => number, deleteSome: (limit: number) => Promise<number>) {
  const { taken, more } = await repeated(elapsed, MAX_PER_STATEMENT, deleteSome)
  return { deleted: taken, more }
}

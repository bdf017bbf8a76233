import { deleteSpentNonces } from '../auth/queries.ts'
import type { DeliverDeps } from '../events/deps.ts'
import {
  deleteOldAttempts,
  deleteOldDeliveries,
  deleteOldHosts,
  deleteOldTargets,
} from '../events/sweep-queries.ts'
import { recordDay } from '../marketplace/record-day.ts'
import { deleteOldAddresses } from '../quotas/sweep-queries.ts'
import { recheckProofs } from '../reputation/recheck.ts'
import type { ReviewDeps } from '../reputation/review.ts'
import { DAY_MS } from '../time.ts'
import { sweepDeliveries } from './deliveries.ts'
import { sweepHires } from './hires.ts'
import { runSteps } from './steps.ts'
import { reviewLost } from './verifications.ts'

/** At most this many rows a run: the rest is the next run's. */
const MAX_SPENT_NONCES = 10_000
const MAX_OLD_DELIVERIES = 10_000
const MAX_OLD_ATTEMPTS = 10_000
const MAX_OLD_ADDRESSES = 10_000
const MAX_OLD_TARGETS = 10_000
const MAX_OLD_HOSTS = 10_000

/** Deliveries and their attempts are kept this long; a delivery that is held this long is given up. */
const DELIVERIES_KEPT_MS = 30 * DAY_MS
/** So is what is known of a target, after no endpoint of its wallet has it. */
const TARGETS_KEPT_MS = DELIVERIES_KEPT_MS
const HOSTS_KEPT_MS = 10 * 60_000
/** Counted from the beginning of the hour that an address was counted in. */
const ADDRESSES_KEPT_MS = 2 * 3_600_000

export type SweepDeps = ReviewDeps & DeliverDeps

/**
 * Records the figures of a new day and the hires whose term has run out, sends what is due to webhooks,
 * deletes what has outlived its use, reviews lost verifications and looks again at proofs on the chain. Each
 * step is idempotent, bounded, and safe to run twice at once.
 * @throws Error that names the steps that failed
 */
export async function sweep(deps: SweepDeps): Promise<void> {
  const { db, now } = deps
  const ago = (ms: number) => new Date(now.getTime() - ms)
  await runSteps({
    statsDay: async () => ({ recorded: await recordDay(db, now) }),
    spentNonces: async () => ({ deleted: await deleteSpentNonces(db, now, MAX_SPENT_NONCES) }),
    hires: () => sweepHires(db, now),
    deliveries: () => sweepDeliveries(deps),
    oldDeliveries: async () => ({
      deleted: await deleteOldDeliveries(db, ago(DELIVERIES_KEPT_MS), MAX_OLD_DELIVERIES),
    }),
    oldAttempts: async () => ({
      deleted: await deleteOldAttempts(db, ago(DELIVERIES_KEPT_MS), MAX_OLD_ATTEMPTS),
    }),
    oldTargets: async () => ({
      deleted: await deleteOldTargets(db, ago(TARGETS_KEPT_MS), MAX_OLD_TARGETS),
    }),
    oldHosts: async () => ({
      deleted: await deleteOldHosts(db, ago(HOSTS_KEPT_MS), MAX_OLD_HOSTS),
    }),
    oldAddresses: async () => ({
      deleted: await deleteOldAddresses(db, ago(ADDRESSES_KEPT_MS), MAX_OLD_ADDRESSES),
    }),
    verifications: () => reviewLost(deps),
    proofs: () => recheckProofs(deps),
  })
}

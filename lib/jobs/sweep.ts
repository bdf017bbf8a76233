import { deleteSpentNonces } from '../auth/queries.ts'
import { reasonOf } from '../db/failures.ts'
import type { DeliverDeps } from '../events/deps.ts'
import {
  deleteOldAttempts,
  deleteOldDeliveries,
  deleteOldHosts,
  deleteOldTargets,
} from '../events/sweep-queries.ts'
import { logError, logInfo } from '../log.ts'
import { recordDay } from '../marketplace/record-day.ts'
import type { PaymentSettleDeps } from '../payments/chain-deps.ts'
import { forgottenSince } from '../payments/rules.ts'
import { deleteEndedPayments, expireUnsignedPayments } from '../payments/sweep-queries.ts'
import { deleteUnpaid } from '../payments/unpaid-queries.ts'
import { deleteOldAddresses } from '../quotas/sweep-queries.ts'
import { deadlinePassed } from '../relay/deadlines.ts'
import { UNSIGNED_KEPT_MS } from '../relay/limits.ts'
import { recheckProofs } from '../reputation/recheck.ts'
import type { ReviewDeps } from '../reputation/review.ts'
import { DAY_MS } from '../time.ts'
import type { SettleDeps } from '../vault/deps.ts'
import { confirmEarly, lookAgain } from '../vault/rounds.ts'
import { sweepIntents } from '../vault/sweep.ts'
import { deleteEnded, expireUnsigned } from '../vault/sweep-queries.ts'
import { sweepDeliveries } from './deliveries.ts'
import { sweepHires } from './hires.ts'
import { settlePayments } from './payments.ts'
import { reviewLost } from './verifications.ts'

/** At most this many rows a run: the rest is the next run's. */
const MAX_SPENT_NONCES = 10_000
const MAX_EXPIRED_INTENTS = 2_000
const MAX_OLD_DELIVERIES = 10_000
const MAX_OLD_ATTEMPTS = 10_000
const MAX_OLD_ADDRESSES = 10_000
const MAX_OLD_TARGETS = 10_000
const MAX_OLD_HOSTS = 10_000
const MAX_UNPAID_CHARGES = 10_000
/** As many as a run records the ends of. */
const MAX_OLD_HIRES = 5_000

/** Expired intents are kept this long for whoever asks what became of them. */
const EXPIRED_INTENTS_KEPT_MS = 7 * DAY_MS
/** So are deliveries and their attempts; a delivery that is held this long is given up. */
const DELIVERIES_KEPT_MS = 30 * DAY_MS
/** So is what is known of a target, after no endpoint of its wallet has it. */
const TARGETS_KEPT_MS = DELIVERIES_KEPT_MS
const HOSTS_KEPT_MS = 10 * 60_000
/** Counted from the beginning of the hour that an address was counted in. */
const ADDRESSES_KEPT_MS = 2 * 3_600_000

export type SweepDeps = SettleDeps & PaymentSettleDeps & ReviewDeps & DeliverDeps

/**
 * Deletes what has outlived its use, records the hires whose term has run out, sends what is due to webhooks,
 * reviews lost verifications and looks again at proofs on the chain, settles the payments and vaults that
 * nobody has asked about, looks at open positions again, and records the figures of a new day. Each step is
 * idempotent, bounded, safe to run twice at once, and runs whatever became of the others. Logs what each did
 * as one JSON line.
 * @throws Error that names the steps that failed, so that the platform counts the run as failed
 */
export async function sweep(deps: SweepDeps): Promise<void> {
  const { db, now } = deps
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const limit = MAX_EXPIRED_INTENTS
  const pastDeadline = { builtBy: deadlinePassed(now), now, limit }
  const neverSigned = { before: ago(UNSIGNED_KEPT_MS), wereSigned: false, limit }
  const endedLongAgo = { before: ago(EXPIRED_INTENTS_KEPT_MS), wereSigned: true, limit }
  const steps: Record<string, () => Promise<object>> = {
    statsDay: async () => ({ recorded: await recordDay(db, now) }),
    spentNonces: async () => ({ deleted: await deleteSpentNonces(db, now, MAX_SPENT_NONCES) }),
    hires: () => sweepHires(db, now),
    expiredIntents: async () => ({ deleted: await deleteEnded(db, endedLongAgo) }),
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
    // Before the vaults: what was not signed by its deadline asks nothing of the chain.
    unsignedIntents: async () => ({
      expired: await expireUnsigned(db, pastDeadline),
      deleted: await deleteEnded(db, neverSigned),
    }),
    unsignedPayments: async () => ({
      expired: await expireUnsignedPayments(db, pastDeadline),
      deleted: await deleteEndedPayments(db, neverSigned),
    }),
    endedPayments: async () => ({ deleted: await deleteEndedPayments(db, endedLongAgo) }),
    unpaidCharges: async () => ({
      deleted: await deleteUnpaid(db, {
        endedBy: forgottenSince(now),
        hires: MAX_OLD_HIRES,
        charges: MAX_UNPAID_CHARGES,
      }),
    }),
    payments: () => settlePayments(deps),
    // Last, since they make the most calls: what a flood of stacks costs, it takes from no other step.
    vaults: () => sweepIntents(deps),
    positions: () => lookAgain(deps),
    earlyPayouts: () => confirmEarly(deps),
  }
  const failed: string[] = []
  for (const [job, run] of Object.entries(steps)) {
    try {
      logInfo({ job, ...(await run()) })
    } catch (error) {
      failed.push(job)
      logError({ job, reason: reasonOf(error) })
    }
  }
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`)
}

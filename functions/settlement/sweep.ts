import { type Due, soonest } from '../../lib/clock/kinds.ts'
import * as postgres from '../../lib/db/functions.ts'
import type { Nudge } from '../../lib/events/outbox/nudge.ts'
import { runSteps } from '../../lib/http/steps.ts'
import { type SeekDeps, sweepBudgets } from '../../lib/payments/budgets/budget-seek.ts'
import type { PaymentSettleDeps } from '../../lib/payments/chain-deps.ts'
import { forgottenSince } from '../../lib/payments/rules.ts'
import { sweepPayments } from '../../lib/payments/settlement/sweep.ts'
import { deadlinePassed, UNSIGNED_KEPT_MS } from '../../lib/signing/relay/limits.ts'
import { nextMidnight } from '../../lib/signing/relay/looks.ts'
import { DAY_MS } from '../../lib/time.ts'
import { confirmEarly, lookAgain, nextConfirmation } from '../../lib/vault/breaker/rounds.ts'
import type { SettleDeps } from '../../lib/vault/deps.ts'
import { sweepIntents } from '../../lib/vault/settlement/sweep.ts'

/** At most this many rows a statement; another follows until nothing is left to end or delete. */
const INTENTS_PER_STATEMENT = 2_000
const MAX_UNPAID_CHARGES = 10_000
/** As many as a run of jobs records the ends of. */
const MAX_OLD_HIRES = 5_000

/** What may wait so long for another round: what expired, and what nobody has announced. */
const SLACK_OF_OTHERS_MS = 600_000

/** Expired intents are kept this long, so that their wallets can read what became of them. */
const EXPIRED_INTENTS_KEPT_MS = 7 * DAY_MS

export type SettlementDeps = SettleDeps & PaymentSettleDeps & SeekDeps

/**
 * Settles the payments and vaults that nobody has asked about, and looks for budget accounts that were funded
 * past the relay. Each step is idempotent, bounded, and safe to run twice at once.
 * @returns when something is next due to be settled
 * @throws Error that names the steps that failed
 */
export async function settleAll(deps: SettlementDeps): Promise<Due | undefined> {
  await runSteps({
    payments: () => settlePayments(deps),
    budgets: () => sweepBudgets(deps),
    // Last, since they make the most calls: what a flood of stacks costs, it takes from no other step.
    vaults: () => sweepIntents(deps),
  })
  return nextOf(await postgres.nextSettlement.call(deps.db, {}), deps.now)
}

/** When the settlement rounds are due next. What is due past midnight is done by the daily round. */
function nextOf(next: { signedAt: Date | null; otherAt: Date | null }, now: Date): Due | undefined {
  const today = (at: Date | null) => (at && at < nextMidnight(now) ? at.getTime() : undefined)
  const [signed, other] = [today(next.signedAt), today(next.otherAt)]
  return soonest(
    signed === undefined ? undefined : { at: signed, by: signed },
    other === undefined ? undefined : { at: other, by: Math.max(other, now.getTime()) + SLACK_OF_OTHERS_MS },
  )
}

/**
 * Looks again at open positions.
 * @returns when positions are next due: while not all were seen, or a suspicion is not confirmed
 * @throws Error that names the steps that failed
 */
export async function lookAtPositions(deps: SettlementDeps): Promise<Due | undefined> {
  let more: Date | undefined
  await runSteps({
    // What an earlier run has seen is final by now; what this one sees waits for the next.
    earlyPayouts: () => confirmEarly(deps),
    positions: async () => {
      const { nextAt, ...counts } = await lookAgain(deps)
      more = nextAt
      return counts
    },
  })
  const dueOf = (at: Date | undefined) => at && { at: at.getTime(), by: at.getTime() }
  return soonest(dueOf(more), dueOf(await nextConfirmation(deps)))
}

/**
 * Ends and deletes transactions that nobody signed, and deletes ended intents and charges that were never
 * paid.
 * @throws Error that names the steps that failed
 */
export async function settleDay({ db, now }: SettlementDeps): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const limit = INTENTS_PER_STATEMENT
  const pastDeadline = { builtBy: deadlinePassed(now), now, limit }
  const neverSigned = { before: ago(UNSIGNED_KEPT_MS), wereSigned: false, limit }
  const endedLongAgo = { before: ago(EXPIRED_INTENTS_KEPT_MS), wereSigned: true, limit }
  await runSteps({
    unsignedIntents: async () => ({
      expired: await all(
        async () => (await postgres.expireUnsignedVaultIntents.call(db, pastDeadline)).expired,
      ),
      deleted: await all(async () => (await postgres.deleteEndedVaultIntents.call(db, neverSigned)).deleted),
    }),
    unsignedPayments: async () => ({
      expired: await all(async () => (await postgres.expireUnsignedPayments.call(db, pastDeadline)).expired),
      deleted: await all(async () => (await postgres.deleteEndedPayments.call(db, neverSigned)).deleted),
    }),
    expiredIntents: async () => ({
      deleted: await all(async () => (await postgres.deleteEndedVaultIntents.call(db, endedLongAgo)).deleted),
    }),
    endedPayments: async () => ({
      deleted: await all(async () => (await postgres.deleteEndedPayments.call(db, endedLongAgo)).deleted),
    }),
    unpaidCharges: () =>
      postgres.deleteUnpaidCharges.call(db, {
        endedBy: forgottenSince(now),
        mostHires: MAX_OLD_HIRES,
        mostCharges: MAX_UNPAID_CHARGES,
      }),
  })
}

/**
 * Repeats a statement until it finds fewer rows than it may take: what is made within a run's period is
 * ended within it, too, however much it is.
 * @returns how many rows it took in all
 */
async function all(step: () => Promise<number>): Promise<number> {
  let taken = 0
  for (;;) {
    const some = await step()
    taken += some
    if (some < INTENTS_PER_STATEMENT) return taken
  }
}

/** Settles what nobody has asked about, and has its events sent. */
async function settlePayments(deps: PaymentSettleDeps & { nudge: Nudge }): Promise<object> {
  const { due, ...counts } = await sweepPayments(deps)
  deps.nudge(due)
  return counts
}

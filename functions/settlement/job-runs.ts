import { runSteps } from '../../lib/clock/job-steps.ts'
import { type Due, dueAt, soonest } from '../../lib/clock/jobs.ts'
import * as postgres from '../../lib/db/functions.ts'
import type { Nudge } from '../../lib/events/outbox/nudge.ts'
import { type DiscoveryDeps, discoverDueBudgets } from '../../lib/payments/budgets/budget-discovery.ts'
import type { PaymentSettleDeps } from '../../lib/payments/chain-deps.ts'
import { settleDueTransactions } from '../../lib/payments/settlement/job-run.ts'
import {
  auditPositions,
  confirmSuspectedPayouts,
  nextAfterStack,
  nextConfirmation,
} from '../../lib/vault/breaker/job-runs.ts'
import type { SettleDeps } from '../../lib/vault/deps.ts'
import { settleDueOwners } from '../../lib/vault/settlement/job-run.ts'
import { settleDuePayments } from '../../lib/x402/facilitator/settle-due.ts'

/** The tolerance for less urgent work, such as expired and unsigned transactions (next_settlement.sql). */
const TOLERANCE_OF_OTHERS_MS = 600_000

/** The most calls that settle payments for requests in a run. The next run follows at once with the rest. */
const REQUEST_CALLS = 4

export type SettlementDeps = SettleDeps & PaymentSettleDeps & DiscoveryDeps

/**
 * Settles the payments, payments for requests and vaults that nobody has asked about, and looks for budget
 * accounts that were funded past the relay. Each step is idempotent, bounded, and safe to run twice at once.
 * @returns when something is next due to be settled
 * @throws Error that names the steps that failed
 */
export async function settleAll(deps: SettlementDeps): Promise<Due | undefined> {
  await runSteps({
    payments: () => settlePayments(deps),
    budgets: () => discoverDueBudgets(deps),
    requestPayments: () => settleRequests(deps),
    // Last, since they make the most calls. A flood of stacks must not use up the calls of other steps.
    vaults: () => settleDueOwners(deps),
  })
  return nextOf(await postgres.nextSettlement.call(deps.db, {}), deps.now)
}

/** Returns when settlement is next due. */
function nextOf(
  { signedAt, otherAt }: { signedAt: Date | null; otherAt: Date | null },
  now: Date,
): Due | undefined {
  const [signed, other] = [signedAt?.getTime(), otherAt?.getTime()]
  return soonest(
    signed === undefined ? undefined : { at: signed, by: signed },
    other === undefined
      ? undefined
      : { at: other, by: Math.max(other, now.getTime()) + TOLERANCE_OF_OTHERS_MS },
  )
}

/**
 * Checks open positions again.
 * @returns when positions are next due: if not all were checked, a suspicion is not confirmed, or a stack was
 *   signed just now
 * @throws Error that names the steps that failed
 */
export async function checkPositions(deps: SettleDeps): Promise<Due | undefined> {
  let more: Date | undefined
  await runSteps({
    // A payout that an earlier run has seen is final by now. The next run confirms the payouts of this one.
    earlyPayouts: () => confirmSuspectedPayouts(deps),
    positions: async () => {
      const { nextAt, ...counts } = await auditPositions(deps)
      more = nextAt
      return counts
    },
  })
  const dueOf = (at: Date | undefined) => at && { at: at.getTime(), by: at.getTime() }
  const afterStack = await nextAfterStack(deps)
  return soonest(
    soonest(dueOf(more), dueOf(await nextConfirmation(deps))),
    afterStack && dueAt('positions', afterStack.getTime()),
  )
}

/** Settles payments for requests that no call waits for. */
async function settleRequests(deps: SettlementDeps): Promise<{ recorded: number }> {
  let sum = 0
  for (let calls = 0; calls < REQUEST_CALLS; calls++) {
    const { recorded, isLast } = await settleDuePayments(deps)
    sum += recorded
    if (isLast) break
  }
  return { recorded: sum }
}

/** Settles payments that nobody has asked about, and has their events sent. */
async function settlePayments(deps: PaymentSettleDeps & { nudge: Nudge }): Promise<object> {
  const { due, ...counts } = await settleDueTransactions(deps)
  deps.nudge(due)
  return counts
}

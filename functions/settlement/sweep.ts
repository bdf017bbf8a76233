import type { Due } from '../../lib/clock/kinds.ts'
import type { Nudge } from '../../lib/events/outbox/nudge.ts'
import { runSteps } from '../../lib/http/steps.ts'
import { type SeekDeps, sweepBudgets } from '../../lib/payments/budgets/budget-seek.ts'
import type { PaymentSettleDeps } from '../../lib/payments/chain-deps.ts'
import { sweepPayments } from '../../lib/payments/settlement/sweep.ts'
import { confirmEarly, lookAgain } from '../../lib/vault/breaker/rounds.ts'
import type { SettleDeps } from '../../lib/vault/deps.ts'
import { sweepIntents } from '../../lib/vault/settlement/sweep.ts'

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
  return undefined
}

/**
 * Looks again at open positions.
 * @returns when positions are next due
 * @throws Error that names the steps that failed
 */
export async function lookAtPositions(deps: SettlementDeps): Promise<Due | undefined> {
  await runSteps({
    // What an earlier run has seen is final by now; what this one sees waits for the next.
    earlyPayouts: () => confirmEarly(deps),
    positions: () => lookAgain(deps),
  })
  return undefined
}

/** Settles what nobody has asked about, and has its events sent. */
async function settlePayments(deps: PaymentSettleDeps & { nudge: Nudge }): Promise<object> {
  const { due, ...counts } = await sweepPayments(deps)
  deps.nudge(due)
  return counts
}

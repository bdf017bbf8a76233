import { runSteps } from '../../lib/clock/job-steps.ts'
import { type Due, dueAt, soonest } from '../../lib/clock/jobs.ts'
import * as postgres from '../../lib/db/functions.ts'
import type { Notify } from '../../lib/events/outbox/notify.ts'
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

/** Calls of settleDuePayments in one run. If payments are left, the next run follows at once. */
const REQUEST_CALLS = 4

export type SettlementDeps = SettleDeps & PaymentSettleDeps & DiscoveryDeps

/**
 * Settles due payments, payments for requests, and transactions of the vault: their clients may not have
 * asked for the outcome. Also looks for budget accounts that were funded without the relay. Each step is
 * idempotent, bounded, and safe to run twice at once.
 * @returns when something is next due to be settled
 * @throws Error that names the steps that failed
 */
export async function settleAll(deps: SettlementDeps): Promise<Due | undefined> {
  await runSteps({
    payments: () => settlePayments(deps),
    budgets: () => discoverDueBudgets(deps),
    requestPayments: () => settleRequests(deps),
    // Last, since they make the most subrequests. A flood of stacks (transactions that lock CRED in the
    // vault) must not use up the subrequests of other steps.
    vaults: () => settleDueOwners(deps),
  })
  return nextOf(await postgres.nextSettlement.call(deps.db, {}), deps.now)
}

/**
 * Returns when settlement is next due.
 * @param signedAt when a signed transaction is due: at once, because money waits
 * @param otherAt when less urgent work is due: it may wait for another job run
 */
function nextOf(
  { signedAt, otherAt }: { signedAt: Date | null; otherAt: Date | null },
  now: Date,
): Due | undefined {
  const signed = signedAt?.getTime()
  const other = otherAt?.getTime()
  return soonest(
    signed === undefined ? undefined : { at: signed, by: signed },
    other === undefined
      ? undefined
      : // Overdue work has the whole tolerance from now. Else it would cause a run of its own.
        { at: other, by: Math.max(other, now.getTime()) + TOLERANCE_OF_OTHERS_MS },
  )
}

/**
 * Checks open positions of the vault for the circuit breaker. A position that was paid out before its term
 * ended is suspected at first (`earlyPayouts`), and confirmed once the payout is final.
 * @returns when positions are next due: if not all were checked, a suspected payout is not confirmed, or a
 *   stack (a transaction that locks CRED in a position) was signed in the last minute
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
  const withoutTolerance = (at: Date | undefined) => at && { at: at.getTime(), by: at.getTime() }
  const afterStack = await nextAfterStack(deps)
  return soonest(
    // Positions that did not fit in this run, and suspected payouts to confirm.
    soonest(withoutTolerance(more), withoutTolerance(await nextConfirmation(deps))),
    // Positions that the last stack makes due, with the tolerance of the job.
    afterStack && dueAt('positions', afterStack.getTime()),
  )
}

/** Settles payments for requests whose outcome is due, in case no client's call waits for them. */
async function settleRequests(deps: SettlementDeps): Promise<{ recorded: number }> {
  let sum = 0
  for (let calls = 0; calls < REQUEST_CALLS; calls++) {
    const { recorded, isLast } = await settleDuePayments(deps)
    sum += recorded
    if (isLast) break
  }
  return { recorded: sum }
}

/** Settles due payments, and notifies the Workers that send their events to endpoints and live sockets. */
async function settlePayments(deps: PaymentSettleDeps & { notify: Notify }): Promise<object> {
  const { due: toNotify, ...counts } = await settleDueTransactions(deps)
  deps.notify(toNotify)
  return counts
}

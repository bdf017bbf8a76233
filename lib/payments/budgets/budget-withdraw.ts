import { formatAmount } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import * as postgres from '../../db/functions.ts'
import { lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { buildWithdrawal } from '../chain/budget.ts'
import { budgetState } from '../chain/budget-account.ts'
import type { BuildDeps } from '../chain-deps.ts'
import { newestKeys, payoutState, requireHireBudget, requireThawed } from '../guards.ts'
import {
  type BuiltPayment,
  costWords,
  intentOf,
  networkOf,
  newIntentId,
  newlyBuilt,
  rentToBePaid,
} from '../transactions/building.ts'

/**
 * Builds the transaction that withdraws the balance of a hire's budget account and closes it. The hirer can
 * do this without the service, too: lib/payments/chain/README.md has the commands of spl-token.
 * @throws ApiError hire_not_found, budget_not_found, budget_frozen, payout_account_unusable, budget_changed,
 *   dependency_unavailable
 */
export async function withdrawBudget(
  deps: BuildDeps,
  hirer: Wallet,
  { hireId, leaveOpen }: { hireId: string; leaveOpen: boolean },
): Promise<BuiltPayment & { address: string }> {
  const { mint } = deps.settings
  const hire = await requireHireBudget(deps, hirer, hireId)
  const { address } = hire.account
  const { accounts, ...seen } = await lookUp(deps, {
    budget: address,
    hirerTokens: await associatedTokenAddress(hirer, mint),
  })
  const state = budgetState(accounts.budget, { hirer, mint, collectors: new Map() })
  if (state.kind !== 'open') {
    throw new ApiError('budget_not_found', 'The hire has no budget account on the chain.')
  }
  requireThawed(state)
  const hirerTokens = payoutState(accounts.hirerTokens, { owner: hirer, mint })
  const { balance } = state
  const id = newIntentId(deps)
  const network = networkOf(deps, seen)
  const built = await buildWithdrawal({ id, hireId, hirer, mint, network, address, balance, leaveOpen })
  const message = `Signing takes back ${formatAmount(balance)} CRED from your budget account of this hire, and ends the agent’s permission to collect from it. ${
    leaveOpen ? 'The account stays open.' : 'The account is closed and its rent returned to you.'
  } ${costWords(built, balance > 0n ? rentToBePaid(hirerTokens, seen) : undefined)}`
  const { keyVersion } = newestKeys(deps.settings)
  const intent = intentOf(deps, { id, wallet: hirer, keyVersion, built, message, seen })
  const { outcome } = await postgres.recordPaymentIntent.call(deps.db, {
    ...intent,
    kind: 'withdraw_budget',
    hireId,
    address,
    addressBefore: hire.recordedAddress ?? address,
    amount: balance,
  })
  if (outcome === 'account_moved') {
    throw new ApiError(
      'budget_changed',
      'The hire’s budget account changed at the same time. Repeat the request.',
      {
        retryAfterSeconds: 2,
      },
    )
  }
  return { ...newlyBuilt('withdraw_budget', intent), address }
}

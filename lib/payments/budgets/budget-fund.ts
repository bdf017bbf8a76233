import { type Cred, cred, formatAmount, type Lamports } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { raiseBudgetNumber } from '../../agents/hiring/charged-queries.ts'
import { ApiError } from '../../api-error.ts'
import * as postgres from '../../db/functions.ts'
import { lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { buildFunding } from '../chain/budget.ts'
import { type BudgetState, budgetAccount, budgetState, collectibleOf } from '../chain/budget-account.ts'
import { collectorAccount } from '../chain/collector.ts'
import type { BuildDeps } from '../chain-deps.ts'
import {
  collectorsOf,
  keyVersionsBy,
  newestKeys,
  requireCollector,
  requireFunds,
  requireHireBudget,
  requireThawed,
} from '../guards.ts'
import {
  type BuiltPayment,
  costWords,
  intentOf,
  networkOf,
  newIntentId,
  newlyBuilt,
} from '../transactions/building.ts'

/**
 * Builds the transaction that opens a hire's budget account or tops it up. It approves the payout account
 * of the agent's owner under the newest key for the new balance. An account under an older key is not
 * approved, even if it is open: with a leaked key the owner could empty the budget without a charge.
 * @throws ApiError hire_not_found, hire_over, collector_missing, collector_foreign, budget_frozen,
 *   funds_short, budget_changed, dependency_unavailable
 */
export async function fundBudget(
  deps: BuildDeps,
  hirer: Wallet,
  input: { hireId: string; amount: bigint },
): Promise<BuiltPayment & { address: string }> {
  const { mint } = deps.settings
  const hire = await requireHireBudget(deps, hirer, input.hireId)
  if (hire.isOver) throw new ApiError('hire_over', 'The hire’s charges have lapsed.')
  const keys = newestKeys(deps.settings)
  const collector = await collectorAccount(hire.owner, keys.keyVersion)
  const collectors = await collectorsOf(deps.settings, hire.owner)
  // If its hirer has created another account at the address, the hire uses the next address.
  const next = await budgetAccount(hirer, { ...hire, budgetNumber: hire.budgetNumber + 1 })
  const { accounts, ...seen } = await lookUp(deps, {
    budget: hire.account.address,
    next: next.address,
    hirerTokens: await associatedTokenAddress(hirer, mint),
    collector: collector.address,
  })
  requireCollector(accounts.collector, { owner: hire.owner, keys })
  const expected = { hirer, mint, collectors: keyVersionsBy(collectors) }
  const found = budgetState(accounts.budget, expected)
  const isLost = found.kind === 'foreign'
  if (isLost) await raiseBudgetNumber(deps.db, { id: hire.hireId, budgetNumber: hire.budgetNumber })
  const account = isLost ? next : hire.account
  const state = isLost ? budgetState(accounts.next, expected) : found
  if (state.kind === 'foreign') throw budgetChanged()
  requireThawed(state)
  const amount = cred(input.amount)
  requireFunds(accounts.hirerTokens, { owner: hirer, mint }, amount)
  const id = newIntentId(deps)
  const built = await buildFunding({
    id,
    hireId: hire.hireId,
    hirer,
    mint,
    network: networkOf(deps, seen),
    rents: seen.rents,
    account,
    state,
    collector: collector.address,
    amount,
  })
  const message = fundingMessage(amount, state, { fee: built.fee, rent: seen.rents.tokenAccount })
  const intent = intentOf(deps, { id, wallet: hirer, keyVersion: keys.keyVersion, built, message, seen })
  const { outcome } = await postgres.recordPaymentIntent.call(deps.db, {
    ...intent,
    kind: 'fund_budget',
    hireId: hire.hireId,
    address: account.address,
    seed: account.seed,
    addressBefore: hire.recordedAddress ?? account.address,
    amount,
    payableBefore: collectibleOf(state),
  })
  if (outcome === 'account_moved') throw budgetChanged()
  return { ...newlyBuilt('fund_budget', intent), address: account.address }
}

const budgetChanged = () =>
  new ApiError('budget_changed', 'The hire’s budget account changed at the same time. Repeat the request.', {
    retryAfterSeconds: 2,
  })

function fundingMessage(
  amount: Cred,
  state: Exclude<BudgetState, { kind: 'foreign' }>,
  costs: { fee: Lamports; rent: Lamports },
): string {
  const total = formatAmount(cred((state.kind === 'open' ? state.balance : 0n) + amount))
  const rent =
    state.kind === 'open' ? undefined : { lamports: costs.rent, of: ', returned when it is closed' }
  return `Signing puts ${formatAmount(amount)} CRED into your budget account of this hire, and lets the agent’s owner, together with the service, collect up to ${total} CRED from it for recorded charges. You can take back what is left at any time. ${costWords(costs, rent)}`
}

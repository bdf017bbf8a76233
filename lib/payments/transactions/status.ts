import { ApiError } from '../../api-error.ts'
import { noSuchTransaction } from '../../transactions/relay/signed-once.ts'
import { type DiscoveryDeps, discoverBudgets } from '../budgets/budget-discovery.ts'
import { findHireBudget } from '../budgets/budget-queries.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import { isAwaitingSignature } from '../settlement/outcomes.ts'
import { settle } from '../settlement/settle.ts'
import { findIntent, type Intent, leaseIntent } from './intent-queries.ts'

type StatusDeps = PaymentSettleDeps & DiscoveryDeps

/**
 * Returns the status of a built transaction. Settles it first if this caller gets the lease to ask the chain.
 * While the chain can't be reached, returns the last recorded state.
 * @throws ApiError transaction_not_found
 */
export async function paymentStatus(deps: StatusDeps, id: string): Promise<Intent> {
  const { intent, lease } = await leaseIntent(deps.db, id, deps.now)
  if (!intent) throw noSuchTransaction()
  if (!lease || !(await isSettledNow(deps, intent))) return intent
  return (await findIntent(deps.db, id)) ?? intent
}

async function isSettledNow(deps: StatusDeps, intent: Intent): Promise<boolean> {
  try {
    if (isAwaitingSignature(intent)) return await isFound(deps, intent)
    const { settled, due } = await settle(deps, [intent])
    deps.notify(due)
    return settled > 0
  } catch (error) {
    if (error instanceof ApiError && error.code === 'dependency_unavailable') return false
    throw error
  }
}

/** Looks for the account of a funding that did not go through the relay: its wallet may have sent it. */
async function isFound(deps: StatusDeps, { wallet, hireId }: Intent): Promise<boolean> {
  const { db, now } = deps
  const hire = hireId === null ? undefined : await findHireBudget(db, { hireId, hirer: wallet, now })
  return hire !== undefined && (await discoverBudgets(deps, [hire])) > 0
}

import { Refusal } from '../refusal.ts'
import type { PaymentSettleDeps } from './chain-deps.ts'
import { findIntent, type Intent, leaseIntent } from './intent-queries.ts'
import { settle } from './settle.ts'

/**
 * Tells what became of a built transaction, after settling it if this caller gets the lease to ask the chain.
 * While the chain can't be reached, what was last recorded.
 * @throws Refusal transaction_not_found
 */
export async function paymentStatus(deps: PaymentSettleDeps, id: string): Promise<Intent> {
  const { intent, lease } = await leaseIntent(deps.db, id, deps.now)
  if (!intent) throw new Refusal('transaction_not_found', 'The service has built no such transaction.')
  if (!lease || (await settledNow(deps, intent)) === 0) return intent
  return (await findIntent(deps.db, id)) ?? intent
}

async function settledNow(deps: PaymentSettleDeps, intent: Intent): Promise<number> {
  try {
    return await settle(deps, [intent])
  } catch (error) {
    if (error instanceof Refusal && error.code === 'dependency_unavailable') return 0
    throw error
  }
}

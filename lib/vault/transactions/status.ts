import { Refusal } from '../../refusal.ts'
import type { SettleDeps } from '../deps.ts'
import { type FoundTransaction, findTransaction } from '../queries.ts'
import { settledVault } from '../read.ts'

/**
 * Tells what became of a built transaction, after settling if this caller gets the lease to ask the chain.
 * @throws Refusal transaction_not_found
 */
export async function transactionStatus(deps: SettleDeps, id: string): Promise<FoundTransaction> {
  const found = await findTransaction(deps.db, id)
  if (!found) throw new Refusal('transaction_not_found', 'The service has built no such transaction.')
  if (found.intent.status !== 'open') return found
  const { openIntents } = await settledVault(deps, found.intent.owner)
  if (openIntents.some((intent) => intent.id === id)) return found
  return (await findTransaction(deps.db, id)) ?? found
}

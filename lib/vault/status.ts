import { Refusal } from '../refusal.ts'
import type { SettleDeps } from './deps.ts'
import { findIntent, type Intent } from './queries.ts'
import { settledVault } from './read.ts'

/** A built transaction and the positions it concerns, once they are known. */
export type TransactionStatus = { intent: Intent; positionIds: number[] }

/**
 * Tells what became of a built transaction, after settling if this caller gets the lease to ask the chain.
 * @throws Refusal transaction_not_found
 */
export async function transactionStatus(deps: SettleDeps, id: string): Promise<TransactionStatus> {
  const found = await findIntent(deps.db, id)
  if (!found) throw new Refusal('transaction_not_found', 'The service has built no such transaction.')
  if (found.intent.status !== 'open') return found
  const { openIntents } = await settledVault(deps, found.intent.owner)
  if (openIntents.some((intent) => intent.id === id)) return found
  return (await findIntent(deps.db, id)) ?? found
}

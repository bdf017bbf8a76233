import { noSuchTransaction } from '../../transactions/relay/signed-once.ts'
import type { SettleDeps } from '../deps.ts'
import { type FoundTransaction, findTransaction } from '../queries.ts'
import { settledVault } from '../read.ts'
import { hasLapsed } from './signing.ts'

/**
 * Returns the status of a built transaction. Settles first if this caller gets the lease to ask the chain. An
 * unsigned transaction expires at its deadline, before a job run records it.
 * @throws ApiError transaction_not_found
 */
export async function transactionStatus(deps: SettleDeps, id: string): Promise<FoundTransaction> {
  const found = await findTransaction(deps.db, id)
  if (!found) throw noSuchTransaction()
  const { intent } = found
  if (intent.status !== 'open') return found
  if (hasLapsed(intent, deps.now)) return { ...found, intent: { ...intent, status: 'expired' } }
  const { openIntents } = await settledVault(deps, intent.owner)
  if (openIntents.some((open) => open.id === id)) return found
  return (await findTransaction(deps.db, id)) ?? found
}

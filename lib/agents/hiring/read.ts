import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { hireNotFound } from '../errors.ts'
import { type HireOfAgent, selectHire } from './hire-list-queries.ts'

/**
 * Reads a hire as it is now, for its hirer or its agent's owner.
 * @throws ApiError hire_not_found, also for a hire between other wallets
 */
export async function readHire(
  { db, now }: { db: Db; now: Date },
  wallet: Wallet,
  id: string,
): Promise<HireOfAgent> {
  const hire = await selectHire(db, { id, wallet, now })
  if (!hire) throw hireNotFound()
  return hire
}

import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { hireNotFound } from '../errors.ts'
import { type HireOfAgent, hireAsStored } from './hire-list-queries.ts'

/**
 * Ends a hire, for its hirer or its agent's owner. Returns a hire that has already ended as it is.
 * @throws ApiError hire_not_found, also for a hire between other wallets
 */
export async function terminateHire(
  { db, now, notify }: { db: Db; now: Date; notify: Notify },
  wallet: Wallet,
  id: string,
): Promise<HireOfAgent> {
  const [{ outcome, spent, toNotify }, [ended]] = await postgres.endHire.callThenRead(
    db,
    { id, wallet, now },
    hireAsStored.item({ id, wallet }),
  )
  if (outcome === 'hire_not_found' || !ended) throw hireNotFound()
  notify(toNotify)
  return { ...ended, spent }
}

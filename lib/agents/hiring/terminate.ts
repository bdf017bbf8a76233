import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import type { Nudge } from '../../events/outbox/nudge.ts'
import { Refusal } from '../../refusal.ts'
import { endHire } from './hire-end-queries.ts'
import type { HireOfAgent } from './hire-queries.ts'

/**
 * Ends the wallet's hire. One that has already ended is returned as it is.
 * @throws Refusal hire_not_found, for another wallet's hire too
 */
export async function terminateHire(
  deps: { db: Db; now: Date; nudge: Nudge },
  wallet: Wallet,
  id: string,
): Promise<HireOfAgent> {
  const ended = await endHire(deps.db, { id, wallet, now: deps.now })
  if (!ended) throw new Refusal('hire_not_found', 'You have no such hire.')
  deps.nudge(ended.due)
  return ended
}

import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { type Charge, selectCharge } from './charge-queries.ts'

/**
 * Reads a charge as it is now, for the wallet that is paid or pays.
 * @throws ApiError charge_not_found, also for a charge between other wallets
 */
export async function readCharge(
  { db, now }: { db: Db; now: Date },
  wallet: Wallet,
  id: string,
): Promise<Charge> {
  const charge = await selectCharge(db, { id, wallet, now })
  if (!charge) throw new ApiError('charge_not_found', 'You have no charge with this id.')
  return charge
}

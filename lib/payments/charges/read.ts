import * as v from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import { Charge as ChargeAnswer } from '../../../schema/wire/charges.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import { answer } from '../../answer.ts'
import { ApiError } from '../../api-error.ts'
import { makeCursor, pageOf, readCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { type Charge, selectCharge } from './charge-queries.ts'
import { type ChargeFilter, selectCharges } from './list-queries.ts'

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

const CursorParts = v.strictTuple([v.pipe(v.string(), v.uuid())])

/**
 * Lists one page of the charges that the wallet made or has to pay, newest first, with a cursor if another
 * page follows. The list is empty for a hire or an agent of other wallets.
 * @throws ApiError invalid_request for a cursor that this list did not issue
 */
export async function listCharges(
  deps: { db: Db; now: Date },
  wallet: Wallet,
  { limit, cursor, ...filter }: ChargeFilter & { limit: number; cursor?: string | undefined },
): Promise<{ charges: Charge[]; nextCursor?: string }> {
  const [beforeId] = cursor === undefined ? [] : readCursor(CursorParts, cursor)
  const read = await selectCharges(deps.db, filter, { wallet, now: deps.now, beforeId, limit: limit + 1 })
  const { rows: charges, last, hasMore } = pageOf(read, limit)
  return hasMore && last ? { charges, nextCursor: makeCursor([last.id]) } : { charges }
}

/** Returns the row of a charge, the same for both sides. */
export const chargeRow = (charge: Charge) => ({ ...charge, status: charge.state })

/** Makes the answer for one charge. */
export const chargeView = (charge: Charge): Wire<typeof ChargeAnswer> =>
  answer(ChargeAnswer, chargeRow(charge))

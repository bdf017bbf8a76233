import * as v from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import { makeCursor, pageOf, readCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import type { Charge } from './charge-queries.ts'
import { type ChargeFilter, selectCharges } from './list-queries.ts'

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

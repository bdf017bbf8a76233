import * as v from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import { openCursor, sealCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { pageOf } from '../../paging.ts'
import { type HireOfAgent, selectHires } from './hire-queries.ts'

const CursorParts = v.strictTuple([v.pipe(v.string(), v.uuid())])

/**
 * Lists one page of the wallet's hires as they are now, newest first, with the next page's cursor if there is
 * one.
 * @throws Refusal invalid_request for a cursor that this list did not give out
 */
export async function listHires(
  deps: { db: Db; now: Date },
  wallet: Wallet,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ hires: HireOfAgent[]; nextCursor?: string }> {
  const [beforeId] = cursor === undefined ? [] : openCursor(CursorParts, cursor)
  const read = await selectHires(deps.db, wallet, deps.now, { beforeId, limit: limit + 1 })
  const { rows: hires, last, hasMore } = pageOf(read, limit)
  return hasMore && last ? { hires, nextCursor: sealCursor([last.hire.id]) } : { hires }
}

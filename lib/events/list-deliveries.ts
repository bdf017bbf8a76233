import * as v from 'valibot'
import type { DeliveryState } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { openCursor, sealCursor } from '../cursor.ts'
import type { Db } from '../db/connect.ts'
import { pageOf } from '../paging.ts'
import { type DeliveryCursor, type DeliveryRow, selectDeliveries } from './delivery-queries.ts'

const CursorParts = v.strictTuple([v.pipe(v.string(), v.uuid())])

/**
 * Lists one page of the deliveries to the wallet's agents, newest events first.
 * @throws Refusal invalid_request for a cursor that this list did not give out
 */
export async function listDeliveries(
  deps: { db: Db },
  wallet: Wallet,
  input: { status?: DeliveryState | undefined; limit: number; cursor?: string | undefined },
): Promise<{ deliveries: DeliveryRow[]; nextCursor?: string }> {
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
  const read = await selectDeliveries(deps.db, wallet, { status: input.status, after }, input.limit + 1)
  const { rows: deliveries, last, hasMore } = pageOf(read, input.limit)
  return hasMore && last ? { deliveries, nextCursor: sealCursor([last.eventId]) } : { deliveries }
}

function decodeCursor(cursor: string): DeliveryCursor {
  const [eventId] = openCursor(CursorParts, cursor)
  return { eventId }
}

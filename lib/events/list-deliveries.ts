import * as v from 'valibot'
import type { Wallet } from '../../schema/wallet.ts'
import { makeCursor, pageOf, readCursor } from '../cursor.ts'
import type { Db } from '../db/connect.ts'
import type { DeliveryCursor, DeliveryRow } from './list-queries.ts'
import { type DeliveryFilter, selectDeliveries } from './list-queries.ts'

const Id = v.pipe(v.string(), v.uuid())
const CursorParts = v.strictTuple([Id, Id])

/**
 * Lists one page of the deliveries to the wallet's endpoints, newest events first. With `status` held or
 * pending, a page other than the last may have fewer than `limit` deliveries.
 * @throws ApiError `invalid_request` for a cursor that this list did not issue
 */
export async function listDeliveries(
  deps: { db: Db; now: Date },
  wallet: Wallet,
  { limit, cursor, ...filter }: DeliveryFilter & { limit: number; cursor?: string | undefined },
): Promise<{ deliveries: DeliveryRow[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const read = await selectDeliveries(deps.db, wallet, filter, { after, limit: limit + 1 })
  const { rows: deliveries, last, hasMore } = pageOf(read.deliveries, limit)
  const end = hasMore ? last : read.reached
  return end ? { deliveries, nextCursor: makeCursor([end.eventId, end.endpointId]) } : { deliveries }
}

function decodeCursor(cursor: string): DeliveryCursor {
  const [eventId, endpointId] = readCursor(CursorParts, cursor)
  return { eventId, endpointId }
}

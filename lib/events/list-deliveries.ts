import * as v from 'valibot'
import type { Wallet } from '../../schema/wallet.ts'
import { openCursor, pageOf, sealCursor } from '../cursor.ts'
import type { Db } from '../db/connect.ts'
import {
  type DeliveryCursor,
  type DeliveryFilter,
  type DeliveryRow,
  selectDeliveries,
} from './delivery-queries.ts'

const Id = v.pipe(v.string(), v.uuid())
const CursorParts = v.strictTuple([Id, Id])

/**
 * Lists one page of the deliveries to the wallet's endpoints, newest events first.
 * @throws Refusal invalid_request for a cursor that this list did not give out
 */
export async function listDeliveries(
  deps: { db: Db; now: Date },
  wallet: Wallet,
  { limit, cursor, ...filter }: DeliveryFilter & { limit: number; cursor?: string | undefined },
): Promise<{ deliveries: DeliveryRow[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const read = await selectDeliveries(deps.db, wallet, filter, { after, limit: limit + 1, now: deps.now })
  const { rows: deliveries, last, hasMore } = pageOf(read, limit)
  if (!hasMore || !last) return { deliveries }
  return { deliveries, nextCursor: sealCursor([last.eventId, last.endpointId]) }
}

function decodeCursor(cursor: string): DeliveryCursor {
  const [eventId, endpointId] = openCursor(CursorParts, cursor)
  return { eventId, endpointId }
}

import * as v from 'valibot'
import type { DeliveryState } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { openCursor, sealCursor } from '../cursor.ts'
import type { Db } from '../db/connect.ts'
import { type DeliveryRow, selectDeliveries } from './delivery-queries.ts'

/** The id of the last event that was given out. */
const Place = v.strictTuple([v.pipe(v.string(), v.uuid())])

/**
 * One page of the deliveries to the wallet's agents, newest events first.
 * @throws Refusal invalid_request for a cursor that is none
 */
export async function listDeliveries(
  deps: { db: Db },
  wallet: Wallet,
  input: { status?: DeliveryState | undefined; limit: number; cursor?: string | undefined },
): Promise<{ deliveries: DeliveryRow[]; nextCursor?: string }> {
  const [before] = input.cursor === undefined ? [] : openCursor(Place, input.cursor)
  const rows = await selectDeliveries(deps.db, wallet, { status: input.status, before }, input.limit + 1)
  const deliveries = rows.slice(0, input.limit)
  const last = deliveries.at(-1)
  return rows.length > deliveries.length && last
    ? { deliveries, nextCursor: sealCursor([last.eventId]) }
    : { deliveries }
}

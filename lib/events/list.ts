import type { Wallet } from '../../schema/wallet.ts'
import { pageOf } from '../cursor.ts'
import type { Db } from '../db/connect.ts'
import { Refusal } from '../refusal.ts'
import { type EventRow, selectEvents } from './queries.ts'

/**
 * Lists the wallet's events after one of them, or from the beginning, oldest first. Whoever goes on from the
 * last one that a page gave misses none.
 * @throws Refusal invalid_request when `after` is not one of the wallet's events
 */
export async function listEvents(
  deps: { db: Db },
  wallet: Wallet,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ events: EventRow[]; hasMore: boolean }> {
  const read = await selectEvents(deps.db, wallet, after, limit + 1)
  if (!read) {
    throw new Refusal('invalid_request', 'after is not the id of one of your events.', {
      errors: [{ path: 'after', message: 'is not the id of one of your events' }],
    })
  }
  const { rows: events, hasMore } = pageOf(read, limit)
  return { events, hasMore }
}

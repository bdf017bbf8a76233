import type { Wallet } from '../../schema/wallet.ts'
import { ApiError } from '../api-error.ts'
import { pageOf } from '../cursor.ts'
import type { Db } from '../db/connect.ts'
import { type EventRow, selectEvents, selectNewestEvents } from './queries.ts'

/**
 * Lists the wallet's events after one of them, or from the beginning, oldest first. A reader that continues
 * after the last event of each page misses no event. `sort` newest lists the last events, newest first.
 * @throws ApiError `invalid_request` for `after` with `sort` newest
 * @throws ApiError `cursor_lost` if `after` was deleted or is not an event of the wallet
 */
export async function listEvents(
  deps: { db: Db },
  wallet: Wallet,
  { after, sort, limit }: { after?: string | undefined; sort: 'oldest' | 'newest'; limit: number },
): Promise<{ events: EventRow[]; hasMore: boolean }> {
  if (sort === 'newest') {
    if (after !== undefined) throw afterNewest()
    const { rows: events, hasMore } = pageOf(await selectNewestEvents(deps.db, wallet, limit + 1), limit)
    return { events, hasMore }
  }
  const read = await selectEvents(deps.db, wallet, after, limit + 1)
  if (read.lost) throw cursorLost(read.lost)
  const { rows: events, hasMore } = pageOf(read.events, limit)
  return { events, hasMore }
}

/** Makes the error for an `after` that the wallet's log does not have. */
export const cursorLost = (lost: { oldest: string | undefined }): ApiError =>
  new ApiError(
    'cursor_lost',
    'No event in your log has the id in `after`; it may be deleted. Continue without `after`.',
    lost,
  )

const afterNewest = (): ApiError => {
  const message = 'requires the order `oldest`; with `newest` the log is read from its end'
  return new ApiError('invalid_request', `after: ${message}`, { errors: [{ path: 'after', message }] })
}

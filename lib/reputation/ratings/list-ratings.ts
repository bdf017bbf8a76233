import * as v from 'valibot'
import { cred, formatAmount } from '../../../schema/amounts.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import type { Rating, RatingList } from '../../../schema/wire/ratings.ts'
import { makeCursor, pageOf, readCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { type RatingRow, selectRatings } from './rating-queries.ts'

const CursorParts = v.strictTuple([v.pipe(v.string(), v.uuid())])

/**
 * Lists one page of an agent's ratings, newest first. It is empty for an unknown agent.
 * @throws ApiError invalid_request for a cursor that this list did not issue
 */
export async function listRatings(
  deps: { db: Db },
  { agentId, limit, cursor }: { agentId: string; limit: number; cursor?: string | undefined },
): Promise<{ ratings: RatingRow[]; nextCursor?: string }> {
  const [beforeId] = cursor === undefined ? [] : readCursor(CursorParts, cursor)
  const read = await selectRatings(deps.db, agentId, { beforeId, limit: limit + 1 })
  const { rows: ratings, last, hasMore } = pageOf(read, limit)
  return hasMore && last ? { ratings, nextCursor: makeCursor([last.id]) } : { ratings }
}

/** Makes a Rating. */
export const ratingView = (row: RatingRow): Wire<typeof Rating> => ({
  id: row.id,
  agentId: row.agentId,
  wallet: row.wallet,
  rating: row.rating,
  comment: row.comment ?? undefined,
  paidFor: row.hireId === null ? 'requests' : 'hire',
  paid: row.paid,
  paidFormatted: formatAmount(cred(row.paid)),
  createdAt: row.createdAt.toISOString(),
  revisedAt: row.revisedAt?.toISOString(),
  answer: row.answer ?? undefined,
  answeredAt: row.answeredAt?.toISOString(),
})

/** Makes a RatingList. */
export const ratingListView = (page: {
  ratings: RatingRow[]
  nextCursor?: string
}): Wire<typeof RatingList> => ({
  ratings: page.ratings.map(ratingView),
  count: page.ratings.length,
  nextCursor: page.nextCursor,
})

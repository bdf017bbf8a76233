import * as v from 'valibot'
import { cred, formatAmount } from '../../../schema/amounts.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import { Rating } from '../../../schema/wire/ratings.ts'
import { answer } from '../../answer.ts'
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

/** Returns the row of a Rating. */
export const ratingRow = (row: RatingRow) => ({
  ...row,
  paidFor: row.hireId === null ? ('requests' as const) : ('hire' as const),
  paidFormatted: formatAmount(cred(row.paid)),
})

/** Makes a Rating. */
export const ratingView = (row: RatingRow): Wire<typeof Rating> => answer(Rating, ratingRow(row))

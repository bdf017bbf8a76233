import * as v from 'valibot'
import { openCursor, sealCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { pageOf } from '../../paging.ts'
import { type RatingRow, selectRatings } from './rating-queries.ts'

const CursorParts = v.strictTuple([v.pipe(v.string(), v.uuid())])

/**
 * Lists one page of an agent's ratings, newest first; none of an agent that nobody knows.
 * @throws Refusal invalid_request for a cursor that this list did not issue
 */
export async function listRatings(
  deps: { db: Db },
  { agentId, limit, cursor }: { agentId: string; limit: number; cursor?: string | undefined },
): Promise<{ ratings: RatingRow[]; nextCursor?: string }> {
  const [beforeId] = cursor === undefined ? [] : openCursor(CursorParts, cursor)
  const read = await selectRatings(deps.db, agentId, { beforeId, limit: limit + 1 })
  const { rows: ratings, last, hasMore } = pageOf(read, limit)
  return hasMore && last ? { ratings, nextCursor: sealCursor([last.id]) } : { ratings }
}

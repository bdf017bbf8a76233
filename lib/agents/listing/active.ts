import { pageOf } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { selectActiveAgents } from './active-queries.ts'
import { decodeCursor, encodeCursor, type ListedAgent } from './cursor.ts'

/**
 * Lists one page of all active agents, for other software.
 * @throws ApiError invalid_request for a cursor that this list did not issue
 */
export async function listActiveAgents(
  { db }: { db: Db },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ agents: ListedAgent[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const found = await selectActiveAgents(db, after, limit + 1)
  const { rows: agents, last, hasMore } = pageOf(found, limit)
  return hasMore && last ? { agents, nextCursor: encodeCursor(last) } : { agents }
}

import { pageOf } from '../cursor.ts'
import type { Db } from '../db/connect.ts'
import { asksForAgentEndpoint } from '../liveness/queries.ts'
import { decodeCursor, encodeCursor, selectRegisteredAgents } from './list-queries.ts'
import type { ReadRegisteredAgent } from './queries.ts'
import { type EntrySearch, type FoundEntries, searchEntries } from './search-queries.ts'

/**
 * Reads one page of registered agents, the latest registered key first. Among very many agents a page of `q`,
 * `endpoint` or `card` may have fewer than `limit` agents and still a next cursor.
 * @throws ApiError invalid_request for a cursor that this list did not issue
 */
export async function listRegisteredAgents(
  deps: { db: Db },
  { cursor, limit, ...search }: EntrySearch & { limit: number; cursor?: string | undefined },
): Promise<{ agents: ReadRegisteredAgent[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const read: FoundEntries =
    search.q === undefined && !asksForAgentEndpoint(search)
      ? { agents: await selectRegisteredAgents(deps.db, search, after, limit + 1), reached: undefined }
      : await searchEntries(deps.db, search, after, limit + 1)
  const { rows: agents, last, hasMore } = pageOf(read.agents, limit)
  const end = hasMore ? last : read.reached
  return end ? { agents, nextCursor: encodeCursor(end) } : { agents }
}

import type { Db } from '../db/connect.ts'
import { pageOf } from '../paging.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { selectAgents } from './list-queries.ts'
import type { ReadAgent } from './queries.ts'
import { type AgentSearch, type FoundAgents, searchAgents } from './search-queries.ts'

/**
 * Lists one page of agents by reputationScore, then newest first, with the next page's cursor if there is
 * one. With `q` or `endpoint` only those that they find; among very many, a page may have fewer than `limit`
 * before the last.
 * @throws Refusal invalid_request for a cursor that this list did not give out
 */
export async function listAgents(
  deps: { db: Db },
  { cursor, limit, ...filter }: AgentSearch & { limit: number; cursor?: string | undefined },
): Promise<{ agents: ReadAgent[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const read: FoundAgents =
    filter.q === undefined && filter.endpoint === undefined
      ? { agents: await selectAgents(deps.db, filter, after, limit + 1), reached: undefined }
      : await searchAgents(deps.db, filter, after, limit + 1)
  const { rows: agents, last, hasMore } = pageOf(read.agents, limit)
  const end = hasMore ? last : read.reached
  return end ? { agents, nextCursor: encodeCursor(end) } : { agents }
}

import type { Db } from '../db/connect.ts'
import { pageOf } from '../paging.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { type AgentFilter, selectAgents } from './list-queries.ts'
import type { ReadAgent } from './queries.ts'

/**
 * Lists one page of agents by reputationScore, then newest first, with the next page's cursor if there is
 * one.
 * @throws Refusal invalid_request for a cursor that this list did not give out
 */
export async function listAgents(
  deps: { db: Db },
  input: AgentFilter & { limit: number; cursor?: string | undefined },
): Promise<{ agents: ReadAgent[]; nextCursor?: string }> {
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
  const read = await selectAgents(deps.db, input, after, input.limit + 1)
  const { rows: agents, last, hasMore } = pageOf(read, input.limit)
  return hasMore && last ? { agents, nextCursor: encodeCursor(last) } : { agents }
}

import type { Db } from '../db/connect.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { type AgentFilter, selectAgents } from './list-queries.ts'
import type { AgentRow } from './queries.ts'

/**
 * One page of agents by reputationScore, then newest first, with the cursor of the next page if there is one.
 * @throws Refusal invalid_request for a cursor that is none
 */
export async function listAgents(
  deps: { db: Db },
  input: AgentFilter & { limit: number; cursor?: string | undefined },
): Promise<{ agents: AgentRow[]; nextCursor?: string }> {
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
  const rows = await selectAgents(deps.db, input, after, input.limit + 1)
  const agents = rows.slice(0, input.limit)
  const last = agents.at(-1)
  return rows.length > agents.length && last ? { agents, nextCursor: encodeCursor(last) } : { agents }
}

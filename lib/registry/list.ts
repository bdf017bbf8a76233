import type { Db } from '../db/connect.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { type RegisteredAgentRow, type RegistryFilter, selectRegisteredAgents } from './queries.ts'

/**
 * One page of registered agents, the latest registered key first, with the cursor of the next page if there is one.
 * @throws Refusal invalid_request for a cursor that is none
 */
export async function listRegisteredAgents(
  deps: { db: Db },
  input: RegistryFilter & { limit: number; cursor?: string | undefined },
): Promise<{ agents: RegisteredAgentRow[]; nextCursor?: string }> {
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
  const rows = await selectRegisteredAgents(deps.db, input, after, input.limit + 1)
  const agents = rows.slice(0, input.limit)
  const last = agents.at(-1)
  return rows.length > agents.length && last ? { agents, nextCursor: encodeCursor(last) } : { agents }
}

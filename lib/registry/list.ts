import type { Db } from '../db/connect.ts'
import { pageOf } from '../paging.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { type ReadRegisteredAgent, type RegistryFilter, selectRegisteredAgents } from './queries.ts'

/**
 * Reads one page of registered agents, the latest registered key first, and the cursor of the next page.
 * @throws Refusal invalid_request for a cursor that this list did not issue
 */
export async function listRegisteredAgents(
  deps: { db: Db },
  input: RegistryFilter & { limit: number; cursor?: string | undefined },
): Promise<{ agents: ReadRegisteredAgent[]; nextCursor?: string }> {
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
  const read = await selectRegisteredAgents(deps.db, input, after, input.limit + 1)
  const { rows: agents, last, hasMore } = pageOf(read, input.limit)
  return hasMore && last ? { agents, nextCursor: encodeCursor(last) } : { agents }
}

import type { Db } from '../db/connect.ts'
import { pageOf } from '../paging.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { type RegistryFilter, selectRegisteredAgents } from './list-queries.ts'
import type { ReadRegisteredAgent } from './queries.ts'
import { type FoundEntries, searchEntries } from './search-queries.ts'

/**
 * Reads one page of registered agents, the latest registered key first, and the cursor of the next page. With
 * `q` only those that it finds; among very many, a page may have fewer than `limit` before the last.
 * @throws Refusal invalid_request for a cursor that this list did not issue
 */
export async function listRegisteredAgents(
  deps: { db: Db },
  {
    q,
    cursor,
    limit,
    ...filter
  }: RegistryFilter & { q?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<{ agents: ReadRegisteredAgent[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const read: FoundEntries =
    q === undefined
      ? { agents: await selectRegisteredAgents(deps.db, filter, after, limit + 1), reached: undefined }
      : await searchEntries(deps.db, { ...filter, q }, after, limit + 1)
  const { rows: agents, last, hasMore } = pageOf(read.agents, limit)
  const end = hasMore ? last : read.reached
  return end ? { agents, nextCursor: encodeCursor(end) } : { agents }
}

import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { pageOf } from '../paging.ts'
import { type AgentCursor, decodeCursor, encodeCursor } from './cursor.ts'
import { type AgentFilter, selectAgents } from './list-queries.ts'
import { selectAgentsOf } from './owner-queries.ts'
import type { ReadAgent } from './queries.ts'
import { type FoundAgents, searchAgents } from './search-queries.ts'

/** What GET /agents can ask for, its page apart. */
type Wanted = AgentFilter & { owner?: Wallet | undefined; q?: string | undefined }

/**
 * Lists one page of agents by reputationScore, then newest first, with the next page's cursor if there is
 * one. With `q` only those that it finds; when it finds very many, a page may have fewer than `limit` before
 * the last. With `owner` only those of a wallet.
 * @throws Refusal invalid_request for a cursor that this list did not give out
 */
export async function listAgents(
  deps: { db: Db },
  { cursor, limit, ...wanted }: Wanted & { limit: number; cursor?: string | undefined },
): Promise<{ agents: ReadAgent[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const read = await find(deps.db, wanted, after, limit + 1)
  const { rows: agents, last, hasMore } = pageOf(read.agents, limit)
  const end = hasMore ? last : read.reached
  return end ? { agents, nextCursor: encodeCursor(end) } : { agents }
}

async function find(
  db: Db,
  { owner, q, ...filter }: Wanted,
  after: AgentCursor | undefined,
  limit: number,
): Promise<FoundAgents> {
  if (owner === undefined && q !== undefined) return searchAgents(db, { ...filter, q }, after, limit)
  const agents =
    owner === undefined
      ? await selectAgents(db, filter, after, limit)
      : await selectAgentsOf(db, { ...filter, owner, q }, after, limit)
  return { agents, reached: undefined }
}

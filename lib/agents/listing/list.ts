import type { Wallet } from '../../../schema/wallet.ts'
import { pageOf } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { asksForAgentEndpoint } from '../../liveness/queries.ts'
import type { ReadAgent } from '../queries.ts'
import { type AgentCursor, decodeCursor, encodeCursor } from './cursor.ts'
import { isInRanges } from './list-queries.ts'
import { selectAgentsOf } from './owner-queries.ts'
import { selectAgents } from './page-queries.ts'
import { type AgentSearch, type FoundAgents, searchAgents } from './search-queries.ts'

type Wanted = AgentSearch & { owner?: Wallet | undefined }

/**
 * Lists one page of agents by reputationScore, then newest first (or by `sort`). Among very many agents a
 * page of `q`, `endpoint`, `card` or `maxRequestPrice` may have fewer than `limit` agents and still a next
 * cursor.
 * @throws ApiError invalid_request for a cursor that this list did not issue
 */
export async function listAgents(
  deps: { db: Db },
  { cursor, limit, ...wanted }: Wanted & { limit: number; cursor?: string | undefined },
): Promise<{ agents: ReadAgent[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, wanted.sort)
  const read = await find(deps.db, wanted, after, limit + 1)
  const { rows: agents, last, hasMore } = pageOf(read.agents, limit)
  const end = hasMore ? last : read.reached
  return end ? { agents, nextCursor: encodeCursor(end, wanted.sort) } : { agents }
}

async function find(
  db: Db,
  { owner, ...search }: Wanted,
  after: AgentCursor | undefined,
  limit: number,
): Promise<FoundAgents> {
  const all = (agents: ReadAgent[]): FoundAgents => ({ agents, reached: undefined })
  if (owner !== undefined) return all(await selectAgentsOf(db, { ...search, owner }, after, limit))
  if (search.q === undefined && !asksForAgentEndpoint(search) && isInRanges(search))
    return all(await selectAgents(db, search, after, limit))
  return searchAgents(db, search, after, limit)
}

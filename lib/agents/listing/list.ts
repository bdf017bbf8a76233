import type { Wallet } from '../../../schema/wallet.ts'
import { pageOf } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { asksForAgentEndpoint } from '../../liveness/queries.ts'
import type { ReadAgent } from '../queries.ts'
import {
  type AgentCursor,
  decodeCursor,
  decodeNeedCursor,
  encodeCursor,
  encodeNeedCursor,
  isNeedCursor,
  type NeedCursor,
} from './cursor.ts'
import { isInRanges } from './list-queries.ts'
import { type NeedMatch, selectNeeded } from './need-queries.ts'
import { selectAgentsOf } from './owner-queries.ts'
import { selectAgents } from './page-queries.ts'
import { type AgentSearch, type FoundAgents, searchAgents } from './search-queries.ts'

type Wanted = AgentSearch & { owner?: Wallet | undefined }

/** A page. `isClose`: no agent has all words of `q`, and these have only some. */
type AgentPage = { agents: ReadAgent[]; nextCursor?: string; isClose?: boolean }

/**
 * Lists one page of agents by reputationScore, then newest first (or by `sort`). With `q`, agents in which
 * its words begin words come first, then those that it finds as a need. If there are none, it finds agents
 * that come close. Among very many agents a page may have fewer than `limit` agents and still a next cursor.
 * @throws ApiError invalid_request for a cursor that this list did not issue
 */
export async function listAgents(
  deps: { db: Db },
  { cursor, limit, ...wanted }: Wanted & { limit: number; cursor?: string | undefined },
): Promise<AgentPage> {
  const { q, sort } = wanted
  if (cursor !== undefined && q !== undefined && isNeedCursor(cursor)) {
    const last = decodeNeedCursor(cursor, sort)
    return needPage(deps.db, { ...wanted, match: last?.isClose ? 'some' : 'all' }, last, limit)
  }
  const after = cursor === undefined ? undefined : decodeCursor(cursor, sort)
  const read = await find(deps.db, wanted, after, limit + 1)
  const { rows: agents, last, hasMore } = pageOf(read.agents, limit)
  const end = hasMore ? last : read.reached
  if (end) return { agents, nextCursor: encodeCursor(end, sort) }
  if (q === undefined) return { agents }
  const isFirst = agents.length === 0 && after === undefined
  const match = isFirst ? 'all or else some' : 'all'
  const needed = await needPage(deps.db, { ...wanted, match }, undefined, limit - agents.length)
  return { ...needed, agents: [...agents, ...needed.agents] }
}

/** Returns a page of agents found by need. */
async function needPage(
  db: Db,
  wanted: Wanted & { match: NeedMatch },
  after: NeedCursor | undefined,
  limit: number,
): Promise<AgentPage> {
  const read = await selectNeeded(db, wanted, after, limit + 1)
  const { rows: agents, last, hasMore } = pageOf(read, limit)
  const isClose = agents.some((agent) => agent.isClose)
  return hasMore ? { agents, isClose, nextCursor: encodeNeedCursor(last, wanted.sort) } : { agents, isClose }
}

async function find(
  db: Db,
  { owner, ...search }: Wanted,
  after: AgentCursor | undefined,
  limit: number,
): Promise<FoundAgents> {
  if (owner !== undefined)
    return { agents: await selectAgentsOf(db, { ...search, owner }, after, limit), reached: undefined }
  if (search.q === undefined && !asksForAgentEndpoint(search) && isInRanges(search))
    return { agents: await selectAgents(db, search, after, limit), reached: undefined }
  return searchAgents(db, search, after, limit)
}

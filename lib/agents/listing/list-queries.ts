import { and, desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agentListings, EVERY_LAYER } from '../../../schema/tables/agent-listings.ts'
import { agents } from '../../../schema/tables/agents.ts'
import {
  type AgentSort,
  type AgentStatus,
  type AgentType,
  agentStatuses,
  agentTypes,
  type FeeModel,
  feeModels,
} from '../../../schema/values.ts'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import { type Parameters, read } from '../../db/statement.ts'
import { agentEndpointState, agentEndpoints, isAgentEndpointOf } from '../../liveness/queries.ts'
import { publicAgent } from '../column-queries.ts'
import type { ReadAgent } from '../queries.ts'
import type { AgentCursor } from './cursor.ts'

/** The filters of GET /agents, except words and the state of agent endpoints. */
export type AgentFilter = {
  status: AgentStatus | 'all'
  layer?: number | undefined
  agentType?: AgentType | undefined
  feeModel?: FeeModel | undefined
  minReputation?: number | undefined
  /** Defaults to reputationScore. */
  sort?: AgentSort | undefined
}

const { layer, status, agentType, feeModel, reputationScore, agentId, name, wordBloom } = agentListings

/** A cursor before the first agent of the list. */
export const START: AgentCursor = {
  reputationScore: Number.POSITIVE_INFINITY,
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
}

/** The parameters of a list: its filters and its cursor. */
export const listParameters = {
  layer: 'smallint',
  statuses: 'text[]',
  agentTypes: 'text[]',
  feeModels: 'text[]',
  minReputation: reputationScore,
  afterScore: reputationScore,
  afterId: agentId,
  limit: 'integer',
} as const

/** Returns the values of listParameters. */
export const listValues = (filter: AgentFilter, after: AgentCursor, limit: number) => ({
  layer: filter.layer ?? EVERY_LAYER,
  statuses: filter.status === 'all' ? agentStatuses : [filter.status],
  agentTypes: filter.agentType === undefined ? agentTypes : [filter.agentType],
  feeModels: filter.feeModel === undefined ? feeModels : [filter.feeModel],
  minReputation: filter.minReputation ?? 0,
  afterScore: after.reputationScore,
  afterId: after.id,
  limit,
})

/** Checks whether a list filters by type or fee model. */
const asksForKind = ({ agentType, feeModel }: AgentFilter): boolean =>
  agentType !== undefined || feeModel !== undefined

/** Selects the text of a list's statement. */
type ListShape = { kind: boolean; sort: AgentSort }
export const shapeOf = (filter: AgentFilter): ListShape => ({
  kind: asksForKind(filter),
  sort: filter.sort ?? 'reputation',
})

/**
 * Checks whether each page of a list is a few ranges of an index. The newest agents of a kind or a minimal
 * reputation are not: for these the list is walked, as in a search.
 */
export const isInRanges = (filter: AgentFilter): boolean =>
  filter.sort !== 'newest' || !(asksForKind(filter) || filter.minReputation)

type Placed = { reputationScore: SQLWrapper; id: SQLWrapper }

/** The order of a list, and the condition that a row comes after the cursor. Ids begin with their time. */
export const inOrderOf = ({ reputationScore, id }: Placed, sort: AgentSort = 'reputation'): SQL =>
  sort === 'newest' ? desc(id) : sql`${desc(reputationScore)}, ${desc(id)}`
const isAfter = ({ reputationScore, id }: Placed, $: Parameters<typeof listParameters>, sort?: AgentSort) =>
  sort === 'newest'
    ? sql`${id} < ${$.afterId}`
    : sql`(${reputationScore}, ${id}) < (${$.afterScore}, ${$.afterId})`

/** The sort key of a listing. */
export const listed: Placed = { reputationScore, id: agentId }

/**
 * Selects the first listings of a list in its order, at most `most`: agentId, reputationScore and the columns
 * of `also`. The first listings of each status, or of each kind, are one range of an index. Newest first
 * ignores kind and reputation.
 */
export function firstListings(
  $: Parameters<typeof listParameters>,
  { kind, sort }: ListShape,
  most: SQL,
  also: (typeof name | typeof wordBloom | typeof agentType | typeof feeModel)[] = [],
): SQL {
  const found = sql.join([agentId, reputationScore, ...also], sql`, `)
  const inOrder = inOrderOf(listed, sort)
  const goesOn = isAfter(listed, $, sort)
  const isInRange = sort === 'newest' ? goesOn : sql`${reputationScore} >= ${$.minReputation} and ${goesOn}`
  const statuses = sql`unnest(${$.statuses}) as one_status`
  const isStatus = sql`${layer} = ${$.layer} and ${status} = one_status`
  const ofStatuses = sql`
    select first.* from ${statuses}, lateral (
      select ${found} from ${agentListings} where ${and(isStatus, isInRange)}
      order by ${inOrder} limit ${most}) as first`
  // The kind is part of the range and of the order, so that the planner chooses the index of kinds.
  const kinds = sql`${agentType}, ${feeModel}`
  const isKind = sql`(${kinds}, ${reputationScore}) >= (one_type, one_fee, ${$.minReputation})
    and (${kinds}, ${reputationScore}, ${agentId}) < (one_type, one_fee, ${$.afterScore}, ${$.afterId})`
  const ofKinds = sql`
    select first.* from ${statuses}, unnest(${$.agentTypes}) as one_type, unnest(${$.feeModels}) as one_fee, lateral (
      select ${found} from ${agentListings} where ${and(isStatus, isKind)}
      order by ${desc(agentType)}, ${desc(feeModel)}, ${inOrder} limit ${most}) as first`
  return sql`
    select ${found} from (${kind && sort !== 'newest' ? ofKinds : ofStatuses}) as ${agentListings} order by ${inOrder} limit ${most}`
}

/** The condition that an agent passes the filters and comes after the cursor. */
export const isWanted = (
  $: Parameters<typeof listParameters>,
  sort?: AgentSort,
): SQL => sql`${agents.status} = any (${$.statuses})
  and (${$.layer} = ${sql.raw(String(EVERY_LAYER))} or ${agents.isListed} and ${$.layer} = any (${agents.supportedLayers}))
  and ${agents.agentType} = any (${$.agentTypes}) and ${agents.feeModel} = any (${$.feeModels})
  and ${agents.reputationScore} >= ${$.minReputation} and ${isAfter(agents, $, sort)}`

/** Selects the agents of a page, in its order. */
export const agentsOfPage = (db: Builder, page: SQL, sort?: AgentSort) =>
  // An array, so that the planner looks the rows up by id.
  db
    .select({ ...publicAgent, endpoint: agentEndpointState })
    .from(agents)
    .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
    .where(sql`${agents.id} = any (array(${page}))`)
    .orderBy(inOrderOf(agents, sort))

const agentPage = read(listParameters, (db, $, by: ListShape) =>
  agentsOfPage(
    db,
    sql`select ${agentId} from (${firstListings($, by, $.limit)}) as ${agentListings}`,
    by.sort,
  ),
)

/** Reads up to `limit` agents in the list's order, for filters that are index ranges. */
export const selectAgents = (
  db: Db,
  filter: AgentFilter,
  after: AgentCursor = START,
  limit: number,
): Promise<ReadAgent[]> => agentPage.run(db, listValues(filter, after, limit), shapeOf(filter))

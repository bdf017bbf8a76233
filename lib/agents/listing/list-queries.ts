import { and, desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agentListings, EVERY_LAYER } from '../../../schema/tables/agent-listings.ts'
import { agents, sortKeys } from '../../../schema/tables/agents.ts'
import {
  type AgentSort,
  type AgentStatus,
  type AgentType,
  agentStatuses,
  agentTypes,
  type FeeModel,
  feeModels,
  type SellingNeed,
} from '../../../schema/values.ts'
import type { Builder } from '../../db/builder.ts'
import type { Parameters } from '../../db/statement.ts'
import { agentEndpointState, agentEndpoints, isAgentEndpointOf } from '../../liveness/queries.ts'
import { publicAgent } from '../column-queries.ts'
import type { AgentCursor } from './cursor.ts'

/** The filters of GET /agents, except words and the state of agent endpoints. */
export type AgentFilter = {
  status: AgentStatus | 'all'
  layer?: number | undefined
  agentType?: AgentType | undefined
  feeModel?: FeeModel | undefined
  minReputation?: number | undefined
  /** Only agents with prices of requests. */
  priced?: boolean | undefined
  /** Only agents with a price of requests in CRED that is at most this. */
  maxRequestPrice?: bigint | undefined
  /** Defaults to `reputation`. */
  sort?: AgentSort | undefined
  /** X402_FEE. Without it, the list does not read what agents lack to sell requests. */
  requestFee?: bigint | undefined
}

const { layer, status, agentType, feeModel, reputationScore, agentId, isPriced } = agentListings

/**
 * Selects what a list is ordered by, highest first; then by id, latest first. Ids begin with their time, so
 * newest first is by id alone.
 */
export const sortKeyOf = (sort: AgentSort): SQL<number> =>
  sql<number>`${sort === 'newest' ? sql`0` : sort === 'reputation' ? agents.reputationScore : sortKeys[sort](agents)}`.mapWith(
    Number,
  )

/** A cursor before the first agent of the list. */
export const START: AgentCursor = {
  sortKey: Number.POSITIVE_INFINITY,
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
}

/** The parameters of a list: its filters and its cursor. */
export const listParameters = {
  layer: 'smallint',
  statuses: 'text[]',
  agentTypes: 'text[]',
  feeModels: 'text[]',
  minReputation: reputationScore,
  leastPrices: 'smallint',
  maxRequestPrice: 'bigint?',
  requestFee: 'bigint?',
  afterKey: 'double precision',
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
  leastPrices: asksForPriced(filter) ? 1 : 0,
  maxRequestPrice: filter.maxRequestPrice,
  requestFee: filter.requestFee,
  afterKey: after.sortKey,
  afterId: after.id,
  limit,
})

/** Checks whether a list filters by type or fee model. */
const asksForKind = ({ agentType, feeModel }: AgentFilter): boolean =>
  agentType !== undefined || feeModel !== undefined

/** Checks whether a list has only agents with prices of requests. */
const asksForPriced = ({ priced, maxRequestPrice }: AgentFilter): boolean =>
  priced === true || maxRequestPrice !== undefined

/** Selects the text of a list's statement. With `kind`, each kind is a range of its index. */
export type ListShape = { kind: boolean; priced: boolean; sort: AgentSort }
export const shapeOf = (filter: AgentFilter): ListShape => {
  const { sort = 'reputation' } = filter
  const priced = asksForPriced(filter)
  return {
    kind: asksForKind(filter) && sort === 'reputation' && !priced,
    priced,
    sort,
  }
}

/**
 * Checks whether each page of a list is a few ranges of an index. Otherwise the list is walked, as a search
 * is. Agents up to a price are always walked. Newest first, and among agents with prices, agents of a kind
 * are. Newest first, agents of a minimal reputation or with prices are, too. By rating, hires or price, all
 * lists with a filter are.
 */
export const isInRanges = (filter: AgentFilter): boolean => {
  const { kind, priced, sort } = shapeOf(filter)
  if (filter.maxRequestPrice !== undefined || (asksForKind(filter) && !kind)) return false
  if (sort === 'reputation') return true
  return !(priced || filter.minReputation || (isSortedByAgent(sort) && filter.layer !== undefined))
}

/** Checks whether a list is in the order of an index of agents, since listings do not have its sort key. */
export const isSortedByAgent = (sort: AgentSort): sort is keyof typeof sortKeys =>
  Object.hasOwn(sortKeys, sort)

type Placed = { sortKey: SQLWrapper; id: SQLWrapper }

/** The order of a list, and the condition that a row comes after the cursor. */
export const inOrderOf = ({ sortKey, id }: Placed, sort: AgentSort): SQL =>
  sort === 'newest' ? desc(id) : sql`${desc(sortKey)}, ${desc(id)}`
const isAfter = ({ sortKey, id }: Placed, $: Parameters<typeof listParameters>, sort: AgentSort) =>
  sort === 'newest' ? sql`${id} < ${$.afterId}` : sql`(${sortKey}, ${id}) < (${$.afterKey}, ${$.afterId})`

/** The position of an agent in its table. */
export const placed = (sort: AgentSort): Placed => ({ sortKey: sortKeyOf(sort), id: agents.id })

/** The position of a selected row: its columns sort_key and agent_id. */
export const selected: Placed = { sortKey: sql`sort_key`, id: sql`agent_id` }

/**
 * Selects the first agents of a list in its order, at most `most`: agent_id, sort_key and the columns of
 * `also`. The first ones of each status, or of each kind, are one range of
 * an index. Newest first ignores kind, reputation and prices; by rating, hires or price, also the layer.
 */
export function firstAgents(
  $: Parameters<typeof listParameters>,
  { kind, priced, sort }: ListShape,
  most: SQL,
  also: SQL = sql``,
): SQL {
  const statuses = sql`unnest(${$.statuses}) as one_status`
  const first = isSortedByAgent(sort)
    ? sql`
    select first.* from ${statuses}, lateral (
      select ${agents.id} as agent_id, ${sortKeyOf(sort)} as sort_key${also} from ${agents}
      where ${agents.status} = one_status and ${isAfter(placed(sort), $, sort)}
      order by ${inOrderOf(placed(sort), sort)} limit ${most}) as first`
    : firstListings($, { kind, priced, sort }, statuses, most, also)
  return sql`
    select * from (${first}) as firsts order by ${inOrderOf(selected, sort)} limit ${most}`
}

function firstListings(
  $: Parameters<typeof listParameters>,
  { kind, priced, sort }: ListShape,
  statuses: SQL,
  most: SQL,
  also: SQL,
): SQL {
  const listed = { sortKey: reputationScore, id: agentId }
  const found = sql`${agentId}, ${reputationScore} as sort_key${also}`
  const inOrder = inOrderOf(listed, sort)
  const goesOn = isAfter(listed, $, sort)
  const isOfPriced = priced ? sql` and ${isPriced}` : sql``
  const isInRange =
    sort === 'newest' ? goesOn : sql`${reputationScore} >= ${$.minReputation} and ${goesOn}${isOfPriced}`
  const isStatus = sql`${layer} = ${$.layer} and ${status} = one_status`
  if (!kind)
    return sql`
    select first.* from ${statuses}, lateral (
      select ${found} from ${agentListings} where ${and(isStatus, isInRange)}
      order by ${inOrder} limit ${most}) as first`
  // The kind is part of the range and of the order, so that the planner chooses the index of kinds.
  const kinds = sql`${agentType}, ${feeModel}`
  const isKind = sql`(${kinds}, ${reputationScore}) >= (one_type, one_fee, ${$.minReputation})
    and (${kinds}, ${reputationScore}, ${agentId}) < (one_type, one_fee, ${$.afterKey}, ${$.afterId})`
  return sql`
    select first.* from ${statuses}, unnest(${$.agentTypes}) as one_type, unnest(${$.feeModels}) as one_fee, lateral (
      select ${found} from ${agentListings} where ${and(isStatus, isKind)}
      order by ${desc(agentType)}, ${desc(feeModel)}, ${inOrder} limit ${most}) as first`
}

/** The condition that an agent passes the filters. */
export const isWanted = (
  $: Parameters<typeof listParameters>,
): SQL => sql`${agents.status} = any (${$.statuses})
  and ${isInLayer($)}
  and ${agents.agentType} = any (${$.agentTypes}) and ${agents.feeModel} = any (${$.feeModels})
  and ${agents.reputationScore} >= ${$.minReputation}
  and ${agents.requestPrices} >= ${$.leastPrices} and ${isAffordable($)}`

/** The condition that an agent passes the filters and comes after the cursor. */
export const isWantedNext = ($: Parameters<typeof listParameters>, sort: AgentSort): SQL =>
  sql`${isWanted($)} and ${isAfter(placed(sort), $, sort)}`

/** The condition that an agent is listed under the wanted layer, if there is one. */
export const isInLayer = ($: Parameters<typeof listParameters>): SQL =>
  sql`(${$.layer} = ${sql.raw(String(EVERY_LAYER))} or ${agents.isListed} and ${$.layer} = any (${agents.supportedLayers}))`

/** The condition that an agent has a price in CRED up to the highest wanted one, if there is one. */
export const isAffordable = ($: Pick<Parameters<typeof listParameters>, 'maxRequestPrice'>): SQL =>
  sql`(${$.maxRequestPrice} is null or ${agents.lowestRequestPrice} <= ${$.maxRequestPrice})`

/**
 * Selects the agents of a page, in its order.
 * @param needs selects what each lacks to sell requests (`requestNeeds`), or null
 */
export const agentsOfPage = (db: Builder, page: SQL, { sort }: ListShape, needs: SQL<SellingNeed[] | null>) =>
  // An array, so that the planner looks the rows up by id.
  db
    .select({ ...publicAgent, endpoint: agentEndpointState, requestNeeds: needs, sortKey: sortKeyOf(sort) })
    .from(agents)
    .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
    .where(sql`${agents.id} = any (array(${page}))`)
    .orderBy(inOrderOf(placed(sort), sort))

/** Selects the ids of a page, for filters that are index ranges. */
export const idsInRanges = (
  $: Parameters<typeof listParameters>,
  by: ListShape,
  most: SQL = sql`${$.limit}`,
): SQL => sql`select agent_id from (${firstAgents($, by, most)}) as page`

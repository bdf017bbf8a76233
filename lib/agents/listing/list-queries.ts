import { and, desc, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { agentListings, EVERY_LAYER } from '../../../schema/tables/agent-listings.ts'
import { agents } from '../../../schema/tables/agents.ts'
import {
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
import type { ReadAgent } from '../queries.ts'
import type { AgentCursor } from './cursor.ts'

/** What GET /agents can ask for, its words and the state of agent endpoints apart. */
export type AgentFilter = {
  status: AgentStatus | 'all'
  layer?: number | undefined
  agentType?: AgentType | undefined
  feeModel?: FeeModel | undefined
  minReputation?: number | undefined
}

const { layer, status, agentType, feeModel, reputationScore, agentId, name, wordBloom } = agentListings

/** What is before the first of the list, by its order. */
export const START: AgentCursor = {
  reputationScore: Number.POSITIVE_INFINITY,
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
}

/** The parameters of a list: what it asks for, and where it goes on. */
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

/** Their values. */
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

/** Whether a list asks for certain types or fee models. */
export const asksForKind = ({ agentType, feeModel }: AgentFilter): boolean =>
  agentType !== undefined || feeModel !== undefined

const inOrder = sql`${desc(reputationScore)}, ${desc(agentId)}`

/**
 * The first listings of a list in its order, as rows of agentListings (agentId, reputationScore, and the
 * columns of `also`) and at most as many as `most`. Of each status, or of each kind, the first are one range
 * of an index, which has them in order.
 */
export function firstListings(
  $: Parameters<typeof listParameters>,
  byKind: boolean,
  most: SQL,
  also: (typeof name | typeof wordBloom)[] = [],
): SQL {
  const found = sql.join([agentId, reputationScore, ...also], sql`, `)
  const isInRange = sql`${reputationScore} >= ${$.minReputation}
    and (${reputationScore}, ${agentId}) < (${$.afterScore}, ${$.afterId})`
  const statuses = sql`unnest(${$.statuses}) as one_status`
  const isStatus = sql`${layer} = ${$.layer} and ${status} = one_status`
  const ofStatuses = sql`
    select first.* from ${statuses}, lateral (
      select ${found} from ${agentListings} where ${and(isStatus, isInRange)}
      order by ${inOrder} limit ${most}) as first`
  // The kind as a part of the range and of the order: no other index looks as if it would do.
  const kind = sql`${agentType}, ${feeModel}`
  const isKind = sql`(${kind}, ${reputationScore}) >= (one_type, one_fee, ${$.minReputation})
    and (${kind}, ${reputationScore}, ${agentId}) < (one_type, one_fee, ${$.afterScore}, ${$.afterId})`
  const ofKinds = sql`
    select first.* from ${statuses}, unnest(${$.agentTypes}) as one_type, unnest(${$.feeModels}) as one_fee, lateral (
      select ${found} from ${agentListings} where ${and(isStatus, isKind)}
      order by ${desc(agentType)}, ${desc(feeModel)}, ${inOrder} limit ${most}) as first`
  return sql`
    select ${found} from (${byKind ? ofKinds : ofStatuses}) as ${agentListings} order by ${inOrder} limit ${most}`
}

/** Whether an agent is what a list asks for, and comes after where the list goes on. */
export const isWanted = (
  $: Parameters<typeof listParameters>,
): SQL => sql`${agents.status} = any (${$.statuses})
  and (${$.layer} = ${sql.raw(String(EVERY_LAYER))} or ${agents.isListed} and ${$.layer} = any (${agents.supportedLayers}))
  and ${agents.agentType} = any (${$.agentTypes}) and ${agents.feeModel} = any (${$.feeModels})
  and ${agents.reputationScore} >= ${$.minReputation}
  and (${agents.reputationScore}, ${agents.id}) < (${$.afterScore}, ${$.afterId})`

/** The agents whose ids a page selects, as lists have them and in their order. */
export const agentsOfPage = (db: Builder, page: SQL) =>
  // An array, so that the rows are looked up by id, however many of them the planner expects.
  db
    .select({ ...getTableColumns(agents), endpoint: agentEndpointState })
    .from(agents)
    .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
    .where(sql`${agents.id} = any (array(${page}))`)
    .orderBy(desc(agents.reputationScore), desc(agents.id))

const agentPage = read(listParameters, (db, $, by: { kind: boolean }) =>
  agentsOfPage(db, sql`select ${agentId} from (${firstListings($, by.kind, $.limit)}) as ${agentListings}`),
)

/** Reads up to `limit` agents, after a cursor if given, by reputationScore desc, then id desc. */
export const selectAgents = (
  db: Db,
  filter: AgentFilter,
  after: AgentCursor = START,
  limit: number,
): Promise<ReadAgent[]> => agentPage.run(db, listValues(filter, after, limit), { kind: asksForKind(filter) })

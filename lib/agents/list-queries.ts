import { and, desc, getTableColumns, sql } from 'drizzle-orm'
import { agentListings, EVERY_LAYER } from '../../schema/tables/agent-listings.ts'
import { agents } from '../../schema/tables/agents.ts'
import {
  type AgentStatus,
  type AgentType,
  agentStatuses,
  agentTypes,
  type FeeModel,
  feeModels,
} from '../../schema/values.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { endpointState, endpoints, isEndpointOf } from '../liveness/queries.ts'
import type { AgentCursor } from './cursor.ts'
import type { ReadAgent } from './queries.ts'

/** What GET /agents can ask for. */
export type AgentFilter = {
  status: AgentStatus | 'all'
  layer?: number | undefined
  agentType?: AgentType | undefined
  feeModel?: FeeModel | undefined
  /** The beginning of the name, in any case. */
  q?: string | undefined
  minReputation?: number | undefined
}

/** So many names that begin alike are read and sorted; among more the list is walked in its order. */
const FEW_NAMES = 2_000

const { layer, status, agentType, feeModel, reputationScore, agentId, name } = agentListings

/** What is before the first of the list, by its order. */
const START: AgentCursor = {
  reputationScore: Number.POSITIVE_INFINITY,
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
}

const agentPage = statement(
  {
    layer: 'smallint',
    statuses: 'text[]',
    agentTypes: 'text[]',
    feeModels: 'text[]',
    namePattern: 'text?',
    minReputation: reputationScore,
    afterScore: reputationScore,
    afterId: agentId,
    limit: 'integer',
  },
  (db, $, by: { kind: boolean; name: boolean }) => {
    const found = sql`${agentId}, ${reputationScore}`
    const inOrder = sql`${desc(reputationScore)}, ${desc(agentId)}`
    const isInRange = sql`${reputationScore} >= ${$.minReputation}
      and (${reputationScore}, ${agentId}) < (${$.afterScore}, ${$.afterId})`
    const isNamed = sql`${name} like lower(${$.namePattern})`
    // Not as an index has it, and as if every other name were such a one: so that the order leads to them.
    const isNamedAlong = by.name ? sql`coalesce(${isNamed}, false)` : undefined

    // Of each status, or of each kind, the first are one range of an index, which has them in order.
    const statuses = sql`unnest(${$.statuses}) as one_status`
    const isStatus = sql`${layer} = ${$.layer} and ${status} = one_status`
    const ofStatuses = sql`
      select first.* from ${statuses}, lateral (
        select ${found} from ${agentListings} where ${and(isStatus, isInRange, isNamedAlong)}
        order by ${inOrder} limit ${$.limit}) as first`
    // The kind as a part of the range and of the order: no other index looks as if it would do.
    const kind = sql`${agentType}, ${feeModel}`
    const isKind = sql`(${kind}, ${reputationScore}) >= (one_type, one_fee, ${$.minReputation})
      and (${kind}, ${reputationScore}, ${agentId}) < (one_type, one_fee, ${$.afterScore}, ${$.afterId})`
    const ofKinds = sql`
      select first.* from ${statuses}, unnest(${$.agentTypes}) as one_type, unnest(${$.feeModels}) as one_fee, lateral (
        select ${found} from ${agentListings} where ${and(isStatus, isKind, isNamedAlong)}
        order by ${desc(agentType)}, ${desc(feeModel)}, ${inOrder} limit ${$.limit}) as first`
    const walked = by.kind ? ofKinds : ofStatuses

    const few = sql`${FEW_NAMES}::integer`
    const isOfKind = sql`${agentType} = any (${$.agentTypes}) and ${feeModel} = any (${$.feeModels})`
    // By the index's order of names, so that nothing else looks cheaper.
    const ofNames = sql`
      with named as materialized (
        select first.* from ${statuses}, lateral (
          select ${found}, ${kind} from ${agentListings} where ${isStatus} and ${isNamed}
          order by ${name} using ~<~ limit ${few} + 1) as first
        limit ${few} + 1)
      select ${found} from named as ${agentListings}
      where (select count(*) from named) <= ${few} and ${and(isOfKind, isInRange)}
      union all
      select * from (${walked}) as walked where (select count(*) from named) > ${few}`

    const page = sql`
      select ${agentId} from (${by.name ? ofNames : walked}) as ${agentListings} order by ${inOrder} limit ${$.limit}`
    // An array, so that the rows are looked up by id whatever the planner thinks of how many there are.
    return db
      .select({ ...getTableColumns(agents), endpoint: endpointState })
      .from(agents)
      .leftJoin(endpoints, isEndpointOf(agents))
      .where(sql`${agents.id} = any (array(${page}))`)
      .orderBy(desc(agents.reputationScore), desc(agents.id))
  },
)

/** Reads up to `limit` agents, after a cursor if given, by reputationScore desc, then id desc. */
export const selectAgents = (
  db: Db,
  filter: AgentFilter,
  after: AgentCursor = START,
  limit: number,
): Promise<ReadAgent[]> =>
  agentPage.run(
    db,
    {
      layer: filter.layer ?? EVERY_LAYER,
      statuses: filter.status === 'all' ? agentStatuses : [filter.status],
      agentTypes: filter.agentType === undefined ? agentTypes : [filter.agentType],
      feeModels: filter.feeModel === undefined ? feeModels : [filter.feeModel],
      namePattern: filter.q === undefined ? undefined : `${filter.q.replace(/[\\%_]/g, '\\$&')}%`,
      minReputation: filter.minReputation ?? 0,
      afterScore: after.reputationScore,
      afterId: after.id,
      limit,
    },
    {
      kind: filter.agentType !== undefined || filter.feeModel !== undefined,
      name: filter.q !== undefined,
    },
  )

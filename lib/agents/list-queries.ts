import { and, desc, gte, type SQL, sql } from 'drizzle-orm'
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
import { optional, statement } from '../db/statement.ts'
import type { AgentCursor } from './cursor.ts'
import type { AgentRow } from './queries.ts'

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

const agentPage = statement(
  {
    layer: 'smallint',
    statuses: 'text[]',
    agentTypes: 'text[]',
    feeModels: 'text[]',
    namePattern: 'text?',
    minReputation: optional(reputationScore),
    afterScore: optional(reputationScore),
    afterId: optional(agentId),
    limit: 'integer',
  },
  (db, $, by: { kind: boolean; q: boolean; minReputation: boolean; cursor: boolean }) => {
    const isListed = sql`${layer} = ${$.layer}`
    const isInRange = and(
      by.minReputation ? gte(reputationScore, $.minReputation) : undefined,
      by.cursor ? sql`(${reputationScore}, ${agentId}) < (${$.afterScore}, ${$.afterId})` : undefined,
    )
    const isNamed = sql`${name} like lower(${$.namePattern})`
    const isOfKind = by.kind
      ? sql`${agentType} = any (${$.agentTypes}) and ${feeModel} = any (${$.feeModels})`
      : undefined

    // The first of each status, or of each kind, is one range of an index, which has it in the list's order.
    const statuses = sql`unnest(${$.statuses}) as one_status`
    const kinds = sql`${statuses}, unnest(${$.agentTypes}) as one_type, unnest(${$.feeModels}) as one_fee`
    const isStatus = sql`${status} = one_status`
    const isKind = sql`${isStatus} and ${agentType} = one_type and ${feeModel} = one_fee`
    const firstOfEach = (values: SQL, isOne: SQL | undefined) => sql`
      select first.* from ${values}, lateral (
        select ${agentId}, ${reputationScore} from ${agentListings} where ${and(isListed, isOne, isInRange)}
        order by ${desc(reputationScore)}, ${desc(agentId)} limit ${$.limit}) as first`

    // Ordered as their index is, so that nothing else looks cheaper to the planner.
    const named = sql`
      select * from ${agentListings} where ${and(isListed, isNamed)}
      order by ${layer}, ${name} using ~<~ limit ${FEW_NAMES + 1}`
    const byName = sql`
      with named as materialized (${named})
      select agent_id, reputation_score from named as ${agentListings}
      where (select count(*) from named) <= ${FEW_NAMES}
        and ${and(sql`${status} = any (${$.statuses})`, isOfKind, isInRange)}
      union all
      select * from (${firstOfEach(statuses, and(isStatus, isNamed, isOfKind))}) as walked
      where (select count(*) from named) > ${FEW_NAMES}`

    const ofKind = by.kind ? firstOfEach(kinds, isKind) : firstOfEach(statuses, isStatus)
    const page = sql`
      select agent_id from (${by.q ? byName : ofKind}) as page
      order by reputation_score desc, agent_id desc limit ${$.limit}`
    // An array, so that the rows are looked up by id whatever the planner thinks of how many there are.
    return db
      .select()
      .from(agents)
      .where(sql`${agents.id} = any (array(${page}))`)
      .orderBy(desc(agents.reputationScore), desc(agents.id))
  },
)

/** Reads up to `limit` agents, after a cursor if given, by reputationScore desc, then id desc. */
export const selectAgents = (
  db: Db,
  filter: AgentFilter,
  after: AgentCursor | undefined,
  limit: number,
): Promise<AgentRow[]> =>
  agentPage.run(
    db,
    {
      layer: filter.layer ?? EVERY_LAYER,
      statuses: filter.status === 'all' ? agentStatuses : [filter.status],
      agentTypes: filter.agentType === undefined ? agentTypes : [filter.agentType],
      feeModels: filter.feeModel === undefined ? feeModels : [filter.feeModel],
      namePattern: filter.q === undefined ? undefined : `${filter.q.replace(/[\\%_]/g, '\\$&')}%`,
      minReputation: filter.minReputation,
      afterScore: after?.reputationScore,
      afterId: after?.id,
      limit,
    },
    {
      kind: filter.agentType !== undefined || filter.feeModel !== undefined,
      q: filter.q !== undefined,
      minReputation: filter.minReputation !== undefined,
      cursor: after !== undefined,
    },
  )

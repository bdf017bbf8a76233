import { and, desc, eq, gte, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import type { AgentStatus, AgentType, FeeModel } from '../../schema/values.ts'
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

const agentPage = statement(
  {
    status: optional(agents.status),
    layer: 'smallint?',
    agentType: optional(agents.agentType),
    feeModel: optional(agents.feeModel),
    namePattern: 'text?',
    minReputation: optional(agents.reputationScore),
    afterScore: optional(agents.reputationScore),
    afterId: optional(agents.id),
    limit: 'integer',
  },
  (db, $, by: { [Filter in keyof AgentFilter | 'cursor']: boolean }) =>
    db
      .select()
      .from(agents)
      .where(
        and(
          by.status ? eq(agents.status, $.status) : undefined,
          by.layer ? sql`${agents.supportedLayers} @> array[${$.layer}]` : undefined,
          by.agentType ? eq(agents.agentType, $.agentType) : undefined,
          by.feeModel ? eq(agents.feeModel, $.feeModel) : undefined,
          by.q ? sql`lower(${agents.name}) like lower(${$.namePattern})` : undefined,
          by.minReputation ? gte(agents.reputationScore, $.minReputation) : undefined,
          by.cursor
            ? sql`(${agents.reputationScore}, ${agents.id}) < (${$.afterScore}, ${$.afterId})`
            : undefined,
        ),
      )
      .orderBy(desc(agents.reputationScore), desc(agents.id))
      .limit($.limit),
)

/** Reads up to `limit` agents, after a cursor if given, by reputationScore desc, then id desc. */
export const selectAgents = (
  db: Db,
  { status, q, ...filter }: AgentFilter,
  after: AgentCursor | undefined,
  limit: number,
): Promise<AgentRow[]> =>
  agentPage.run(
    db,
    {
      ...filter,
      status: status === 'all' ? undefined : status,
      namePattern: q === undefined ? undefined : `${q.replace(/[\\%_]/g, '\\$&')}%`,
      afterScore: after?.reputationScore,
      afterId: after?.id,
      limit,
    },
    {
      status: status !== 'all',
      layer: filter.layer !== undefined,
      agentType: filter.agentType !== undefined,
      feeModel: filter.feeModel !== undefined,
      q: q !== undefined,
      minReputation: filter.minReputation !== undefined,
      cursor: after !== undefined,
    },
  )

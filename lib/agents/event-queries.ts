import { eq, ne, type SQLWrapper } from 'drizzle-orm'
import type { agents } from '../../schema/tables/agents.ts'
import type { Builder } from '../db/builder.ts'
import type { Columns } from '../db/columns.ts'
import { eventFields } from '../events/outbox/queries.ts'

/* The events of agents: selects over CTEs of the statement that reports them. */

type AgentRow = typeof agents.$inferSelect

/** A new agent. */
export const agentRegistered = (db: Builder, agent: Columns<AgentRow>) =>
  db
    .select(
      eventFields({
        type: 'agent.registered',
        occurredAt: agent.registeredAt,
        wallet: agent.pubkey,
        agentId: agent.id,
        data: {
          agentId: agent.id,
          name: agent.name,
          agentType: agent.agentType,
          supportedLayers: agent.supportedLayers,
          feeModel: agent.feeModel,
          feeAmount: agent.feeAmount,
          status: agent.status,
        },
      }),
    )
    .from(agent)

/** An agent's other status, if `before` and `changed` differ in it. */
export const agentStatusChanged = (
  db: Builder,
  {
    before,
    changed,
    now,
  }: { before: Columns<AgentRow, 'id' | 'status'>; changed: Columns<AgentRow>; now: SQLWrapper },
) =>
  db
    .select(
      eventFields({
        type: 'agent.status_changed',
        occurredAt: now,
        wallet: changed.pubkey,
        agentId: changed.id,
        data: {
          agentId: changed.id,
          status: changed.status,
          previousStatus: before.status,
          reason: changed.statusReason,
        },
      }),
    )
    .from(before)
    .innerJoin(changed, eq(changed.id, before.id))
    .where(ne(changed.status, before.status))

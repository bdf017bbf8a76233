import { type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import type { agents } from '../../schema/tables/agents.ts'
import type { Db } from '../db/connect.ts'
import { eventFields, happening, jsonObject, wireTime } from '../outbox/queries.ts'

/*
 * The events of agents and hires, each over CTEs of the statement that reports it: `agent` is the agent as the
 * statement locked it, the others are rows as it wrote them.
 */

type AgentColumns = { [Name in keyof typeof agents.$inferSelect]: SQLWrapper }

/** A new agent. */
export const agentRegistered = (db: Db, agent: WithSubquery & AgentColumns) =>
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

/** Over `agent` before and `changed` after. */
export const agentStatusChanged = (now: Date): SQL =>
  sql`${happening({
    type: 'agent.status_changed',
    occurredAt: sql`${now.toISOString()}`,
    wallet: sql`changed.pubkey`,
    agentId: sql`changed.id`,
    data: jsonObject({
      agentId: sql`changed.id`,
      status: sql`changed.status`,
      previousStatus: sql`agent.status`,
      reason: sql`changed.status_reason`,
    }),
  })} from agent join changed on changed.id = agent.id where changed.status <> agent.status`

/** Over `created`, a new hire. */
export const hireCreated = (): SQL =>
  sql`${hireHappening('hire.created', sql`created`, sql`created.hired_at`)}
  from created join agent on agent.id = created.agent_id`

/** Over `recorded`: the hires whose term was found to have run out. */
export const hiresRenewed = (): SQL =>
  sql`${hireHappening('hire.renewed', sql`recorded`, sql`recorded.due_at`)}
  from recorded join agent on agent.id = recorded.agent_id where recorded.renews`

export const hiresExpired = (): SQL =>
  sql`${hireHappening('hire.expired', sql`recorded`, sql`recorded.due_at`)}
  from recorded join agent on agent.id = recorded.agent_id where not recorded.renews`

/** Over `target` before and `ended` after: what an ended hire had come to, renewed until then or expired unrecorded. */
export const hireEnded = (): [SQL, SQL, SQL] => [
  sql`${hireHappening('hire.renewed', sql`ended`, sql`target.expires_at`, {
    status: sql`'active'::text`,
    endedAt: sql`null`,
  })}
  from ended join target on target.id = ended.id join agent on agent.id = ended.agent_id
  where ended.expires_at > target.expires_at`,
  sql`${hireHappening('hire.expired', sql`ended`, sql`ended.ended_at`)}
  from ended join agent on agent.id = ended.agent_id where ended.status = 'expired'`,
  sql`${hireHappening('hire.terminated', sql`ended`, sql`ended.ended_at`)}
  from ended join agent on agent.id = ended.agent_id where ended.status = 'terminated'`,
]

type HireEvent = 'hire.created' | 'hire.renewed' | 'hire.expired' | 'hire.terminated'

const hireHappening = (type: HireEvent, hire: SQL, occurredAt: SQL, changes: Record<string, SQL> = {}) =>
  happening({
    type,
    occurredAt,
    wallet: sql`agent.pubkey`,
    counterparty: sql`${hire}.wallet`,
    agentId: sql`${hire}.agent_id`,
    data: jsonObject({
      hireId: sql`${hire}.id`,
      agentId: sql`${hire}.agent_id`,
      wallet: sql`${hire}.wallet`,
      layersEnabled: sql`${hire}.layers_enabled`,
      budgetLimit: sql`${hire}.budget_limit`,
      autoRenew: sql`${hire}.auto_renew`,
      status: sql`${hire}.status`,
      hiredAt: wireTime(sql`${hire}.hired_at`),
      expiresAt: wireTime(sql`${hire}.expires_at`),
      endedAt: wireTime(sql`${hire}.ended_at`),
      ...changes,
    }),
  })

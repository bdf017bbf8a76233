import { eq, type SQLWrapper, sql } from 'drizzle-orm'
import type { agents } from '../../../schema/tables/agents.ts'
import type { hires } from '../../../schema/tables/hires.ts'
import type { Builder } from '../../db/builder.ts'
import type { Columns } from '../../db/columns.ts'
import { eventFields, wireTime } from '../../events/outbox/queries.ts'

/* The events of hires: selects over CTEs of the statement that reports them. */

type Owner = Columns<typeof agents.$inferSelect, 'id' | 'pubkey'>

type Hire = Columns<
  typeof hires.$inferSelect,
  | 'id'
  | 'agentId'
  | 'wallet'
  | 'layersEnabled'
  | 'budgetLimit'
  | 'autoRenew'
  | 'status'
  | 'hiredAt'
  | 'expiresAt'
  | 'endedAt'
>

/** A new hire. */
export const hireCreated = (db: Builder, { hire, agent }: { hire: Hire; agent: Owner }) =>
  db
    .select(hireFields('hire.created', hire, { agent, occurredAt: hire.hiredAt }))
    .from(hire)
    .innerJoin(agent, eq(agent.id, hire.agentId))

/** Hires whose term was found to have run out at `dueAt`, and whether they renew. */
type Recorded = { recorded: Hire & { renews: SQLWrapper; dueAt: SQLWrapper }; agent: Owner }

export const hiresRenewed = (db: Builder, { recorded, agent }: Recorded) =>
  db
    .select(hireFields('hire.renewed', recorded, { agent, occurredAt: recorded.dueAt }))
    .from(recorded)
    .innerJoin(agent, eq(agent.id, recorded.agentId))
    .where(sql`${recorded.renews}`)

export const hiresExpired = (db: Builder, { recorded, agent }: Recorded) =>
  db
    .select(hireFields('hire.expired', recorded, { agent, occurredAt: recorded.dueAt }))
    .from(recorded)
    .innerJoin(agent, eq(agent.id, recorded.agentId))
    .where(sql`not ${recorded.renews}`)

/** What a hire had come to when it ended: renewed unrecorded until then, and expired or terminated. */
export const hireEnded = (
  db: Builder,
  { before, ended, agent }: { before: Hire; ended: Hire; agent: Owner },
) => {
  const endedAs = (status: 'expired' | 'terminated') =>
    db
      .select(hireFields(`hire.${status}`, ended, { agent, occurredAt: ended.endedAt }))
      .from(ended)
      .innerJoin(agent, eq(agent.id, ended.agentId))
      .where(eq(ended.status, status))
  const renewed = db
    .select(
      hireFields('hire.renewed', ended, {
        agent,
        occurredAt: before.expiresAt,
        changes: { status: sql`'active'::text`, endedAt: sql`null` },
      }),
    )
    .from(ended)
    .innerJoin(before, eq(before.id, ended.id))
    .innerJoin(agent, eq(agent.id, ended.agentId))
    .where(sql`${ended.expiresAt} > ${before.expiresAt}`)
  return [renewed, endedAs('expired'), endedAs('terminated')] as const
}

type HireEvent = {
  agent: Owner
  occurredAt: SQLWrapper
  /** Fields of the payload that are not as the row has them. */
  changes?: { status: SQLWrapper; endedAt: SQLWrapper }
}

const hireFields = (
  type: 'hire.created' | 'hire.renewed' | 'hire.expired' | 'hire.terminated',
  hire: Hire,
  { agent, occurredAt, changes }: HireEvent,
) =>
  eventFields({
    type,
    occurredAt,
    wallet: agent.pubkey,
    counterparty: hire.wallet,
    agentId: hire.agentId,
    data: {
      hireId: hire.id,
      agentId: hire.agentId,
      wallet: hire.wallet,
      layersEnabled: hire.layersEnabled,
      budgetLimit: hire.budgetLimit,
      autoRenew: hire.autoRenew,
      status: hire.status,
      hiredAt: wireTime(hire.hiredAt),
      expiresAt: wireTime(hire.expiresAt),
      endedAt: wireTime(hire.endedAt),
      ...changes,
    },
  })

import { type SQLWrapper, sql } from 'drizzle-orm'
import type { charges } from '../../schema/tables/payments.ts'
import type { EventType } from '../../schema/values.ts'
import type { Builder } from '../db/builder.ts'
import type { Columns } from '../db/columns.ts'
import { eventFields, wireTime } from '../events/outbox/queries.ts'

/* The events of payments: selects over CTEs of the statement that reports them. */

/** What has become of charges, as they then are. */
export const chargeChanged = (
  db: Builder,
  type: Extract<EventType, `charge.${string}`>,
  { charge, now }: { charge: Columns<typeof charges.$inferSelect>; now: SQLWrapper },
) =>
  db
    .select(
      eventFields({
        type,
        occurredAt: now,
        wallet: charge.owner,
        counterparty: charge.hirer,
        agentId: charge.agentId,
        data: {
          chargeId: charge.id,
          hireId: charge.hireId,
          agentId: charge.agentId,
          owner: charge.owner,
          hirer: charge.hirer,
          reference: charge.reference,
          amount: charge.amount,
          units: charge.units,
          capturedValue: charge.capturedValue,
          share: charge.share,
          layer: charge.layer,
          description: charge.description,
          status: charge.status,
          createdAt: wireTime(charge.createdAt),
          fee: charge.fee,
        },
      }),
    )
    .from(charge)

/** A period's budget that a charge has made low, or used up. */
type Budget = {
  hired: Columns<{ id: unknown; agentId: unknown; wallet: unknown; budgetLimit: unknown }>
  agent: Columns<{ pubkey: unknown }>
  period: Columns<{ spent: unknown; startsAt: unknown; endsAt: unknown; ranLow: unknown; ranOut: unknown }>
  now: SQLWrapper
}

export const budgetLow = (db: Builder, budget: Budget) =>
  budgetEvent(db, 'budget.low', budget).where(sql`${budget.period.ranLow}`)

export const budgetExhausted = (db: Builder, budget: Budget) =>
  budgetEvent(db, 'budget.exhausted', budget).where(sql`${budget.period.ranOut}`)

const budgetEvent = (
  db: Builder,
  type: Extract<EventType, `budget.${string}`>,
  { hired, agent, period, now }: Budget,
) =>
  db
    .select(
      eventFields({
        type,
        occurredAt: now,
        wallet: agent.pubkey,
        counterparty: hired.wallet,
        agentId: hired.agentId,
        data: {
          hireId: hired.id,
          agentId: hired.agentId,
          owner: agent.pubkey,
          hirer: hired.wallet,
          budgetLimit: hired.budgetLimit,
          spent: period.spent,
          remaining: sql`${hired.budgetLimit} - ${period.spent}`,
          period: sql`json_build_object('start', ${wireTime(period.startsAt)}, 'end', ${wireTime(period.endsAt)})`,
        },
      }),
    )
    .from(hired)
    .innerJoin(agent, sql`true`)
    .innerJoin(period, sql`true`)

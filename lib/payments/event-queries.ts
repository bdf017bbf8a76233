import type { SQLWrapper } from 'drizzle-orm'
import type { charges } from '../../schema/tables/payments.ts'
import type { EventType } from '../../schema/wire/event-types/table.ts'
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

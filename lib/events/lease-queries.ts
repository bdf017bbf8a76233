import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { deliveries, events } from '../../schema/tables/events.ts'
import type { DeliveryFailure, DeliveryStatus } from '../../schema/values.ts'
import { disableWebhook, webhooks } from '../agents/webhook-queries.ts'
import { computed, hasRows, recordset } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { isPending } from './delivery-queries.ts'
import { type EventRow, eventColumns } from './queries.ts'

/** A delivery leased for an attempt: the event, how many attempts were made before, and where it goes. */
export type LeasedDelivery = EventRow & { attempts: number; url: string }

const deliveryLease = statement(
  {
    agentId: deliveries.agentId,
    lease: 'uuid',
    dueBefore: 'timestamptz',
    leaseEnd: 'timestamptz',
    now: 'timestamptz',
    limit: 'integer',
  },
  (db, $) => {
    const hook = webhooks(db)
    const due = db.$with('due').as(
      db
        .select({ eventId: deliveries.eventId, url: hook.url })
        .from(deliveries)
        .innerJoin(hook, eq(hook.agentId, deliveries.agentId))
        .where(
          and(
            eq(deliveries.agentId, $.agentId),
            sql`${hook.live}`,
            isPending,
            lte(deliveries.nextAttemptAt, $.dueBefore),
          ),
        )
        .orderBy(asc(deliveries.nextAttemptAt))
        .limit($.limit)
        .for('update', { of: deliveries, skipLocked: true }),
    )
    return db
      .with(due)
      .update(deliveries)
      .set({
        lease: $.lease,
        nextAttemptAt: $.leaseEnd,
        lastAttemptAt: $.now,
        lastResponseCode: null,
        lastFailure: null,
      })
      .from(due)
      .innerJoin(events, eq(events.id, due.eventId))
      .where(eq(deliveries.eventId, due.eventId))
      .returning({ ...eventColumns, attempts: deliveries.attempts, url: due.url })
  },
)

/**
 * Leases up to `limit` due deliveries of an agent whose webhook is live. Until `leaseEnd` nobody else gets
 * them; if by then no result was recorded, they are due again. Parallel calls lease different ones.
 */
export const leaseDue = (
  db: Db,
  lease: { agentId: string; lease: string; dueBefore: Date; leaseEnd: Date; now: Date; limit: number },
): Promise<LeasedDelivery[]> => deliveryLease.run(db, lease)

/** What became of one leased delivery's attempt. */
export type Attempted = {
  eventId: string
  status: DeliveryStatus
  /** Null unless pending. */
  nextAttemptAt: Date | null
  code: number | null
  failure: DeliveryFailure | null
}

const attemptedColumns = computed({
  eventId: uuid(),
  status: text().$type<DeliveryStatus>(),
  nextAttemptAt: timestamp({ withTimezone: true, precision: 3 }),
  code: integer(),
  failure: text().$type<DeliveryFailure>(),
} satisfies Record<keyof Attempted, unknown>)

const attemptRecord = statement(
  {
    attempts: 'json',
    agentId: deliveries.agentId,
    url: 'text',
    lease: 'uuid',
    leasedAt: 'timestamptz',
    isGone: 'boolean',
    now: 'timestamptz',
  },
  (db, $) => {
    const result = db
      .$with('result', attemptedColumns)
      .as(sql`select * from ${recordset($.attempts, attemptedColumns)}`)
    const recorded = db.$with('recorded').as(
      db
        .update(deliveries)
        .set({
          status: result.status,
          attempts: sql`${deliveries.attempts} + 1`,
          nextAttemptAt: result.nextAttemptAt,
          lease: null,
          lastResponseCode: result.code,
          lastFailure: result.failure,
        })
        .from(result)
        .where(and(eq(deliveries.eventId, result.eventId), eq(deliveries.lease, $.lease)))
        .returning({ eventId: deliveries.eventId }),
    )
    const disabled = disableWebhook(db, { ...$, when: sql`${$.isGone} and ${hasRows(recorded)}` })
    return db
      .with(result, recorded, disabled)
      .select({ count: sql`count(*)`.mapWith(Number) })
      .from(recorded)
  },
)

/**
 * Records what became of leased deliveries, unless their lease has run out and another has leased them, and
 * disables the webhook if its endpoint is gone.
 */
export async function recordAttempts(
  db: Db,
  lease: { agentId: string; url: string; lease: string; leasedAt: Date },
  attempts: Attempted[],
  { isGone, now }: { isGone: boolean; now: Date },
): Promise<void> {
  await attemptRecord.run(db, { ...lease, attempts, isGone, now })
}

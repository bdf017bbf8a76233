import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { deliveries, deliveryAttempts } from '../../schema/tables/events.ts'
import type { Builder } from '../db/builder.ts'
import { names } from '../db/columns.ts'
import type { Columns } from '../outbox/queries.ts'
import { type EventRow, eventColumns } from './queries.ts'

/* What leasing deliveries of one endpoint (lease-queries.ts) and of many (batch-queries.ts) share. */

/** A delivery leased for an attempt: the event, and how many attempts were made before. */
export type LeasedDelivery = EventRow & { attempts: number }

/** The columns of {@link LeasedDelivery} over `deliveries` and `events`. */
export const leasedColumns = { ...eventColumns, attempts: deliveries.attempts }

/** What a lease sets: until `leaseEnd` nobody else gets the delivery. */
export const leaseValues = ($: { lease: SQL<string>; now: SQL<Date>; leaseEnd: SQL<Date> }) => ({
  lease: $.lease,
  nextAttemptAt: $.leaseEnd,
  lastAttemptAt: $.now,
  lastResponseCode: null,
  lastFailure: null,
})

/** The columns that a statement returns of deliveries whose attempt it has recorded. */
export const attemptedColumns = {
  endpointId: deliveries.endpointId,
  eventId: deliveries.eventId,
  lastAttemptAt: deliveries.lastAttemptAt,
  lastResponseCode: deliveries.lastResponseCode,
  lastFailure: deliveries.lastFailure,
}

/**
 * The CTE `attempt`: keeps what recorded deliveries were answered.
 * @param recorded a CTE of {@link attemptedColumns}, and how long each answer took
 */
export function keepAttempts(
  db: Builder,
  recorded: Columns<typeof attemptedColumns & { durationMs: SQLWrapper }>,
) {
  const { endpointId, eventId, attemptedAt, responseCode, failure, durationMs } = deliveryAttempts
  return db.$with('attempt', { eventId }).as(sql`
    insert into ${deliveryAttempts}
      (${names(endpointId, eventId, attemptedAt, responseCode, failure, durationMs)})
    select ${recorded.endpointId}, ${recorded.eventId}, ${recorded.lastAttemptAt},
      ${recorded.lastResponseCode}, ${recorded.lastFailure}, ${recorded.durationMs}
    from ${recorded} on conflict do nothing
    returning ${eventId}`)
}

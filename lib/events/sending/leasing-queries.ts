import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { deliveries, deliveryAttempts } from '../../../schema/tables/events.ts'
import type { Builder } from '../../db/builder.ts'
import { names } from '../../db/columns.ts'
import { type EventRow, eventColumns } from '../queries.ts'

/* What leasing deliveries of one endpoint (lease-queries.ts) and of many (batch-queries.ts) share. */

/** A delivery leased for an attempt: the event, and how many attempts were made before. */
export type LeasedDelivery = EventRow & { attempts: number }

/** The columns of {@link LeasedDelivery} over `deliveries` and `events`. */
export const leasedColumns = { ...eventColumns, attempts: deliveries.attempts }

/**
 * What a lease sets: until `leaseEnd` nobody else gets the delivery. What was tried is written when it has
 * been: a lease may end, or be given back, without an attempt.
 */
export const leaseValues = ($: { lease: SQL<string>; leaseEnd: SQL<Date> }) => ({
  lease: $.lease,
  nextAttemptAt: $.leaseEnd,
})

/**
 * The CTE `attempt`: keeps what attempts came to, each once, also of a delivery whose lease was lost
 * meanwhile: by time, or to a replay. It has a row for each that was not kept before.
 * @param result.rows a CTE of attempts
 * @param result.recorded a CTE that has updated their deliveries, which is done first: statements lock
 *   deliveries before all else
 */
export function keepAttempts(
  db: Builder,
  result: {
    rows: SQLWrapper
    recorded: SQLWrapper
    endpointId: SQLWrapper
    eventId: SQLWrapper
    leasedAt: SQLWrapper
    code: SQLWrapper
    failure: SQLWrapper
    durationMs: SQLWrapper
  },
) {
  const { endpointId, eventId, attemptedAt, responseCode, failure, durationMs } = deliveryAttempts
  return db.$with('attempt', { eventId }).as(sql`
    insert into ${deliveryAttempts}
      (${names(endpointId, eventId, attemptedAt, responseCode, failure, durationMs)})
    select ${result.endpointId}, ${result.eventId}, ${result.leasedAt}, ${result.code}, ${result.failure},
      ${result.durationMs}
    from ${result.rows} where (select count(*) from ${result.recorded}) >= 0
    on conflict do nothing
    returning ${eventId}`)
}

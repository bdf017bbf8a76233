import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import { integer, uuid } from 'drizzle-orm/pg-core'
import { deliveries } from '../../../schema/tables/events.ts'
import { webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import { columnsOf, computed, recordset } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { hooks } from '../hook-queries.ts'
import { isTargetOf } from '../target-queries.ts'
import { keepAttempts } from './leasing-queries.ts'

/** A delivery that an endpoint has taken, the status code of its answer, and how long that took. */
type Delivered = { endpointId: string; eventId: string; code: number; durationMs: number }

const deliveredColumns = computed({
  endpointId: uuid(),
  eventId: uuid(),
  code: integer(),
  durationMs: integer(),
} satisfies Record<keyof Delivered, unknown>)

const deliveredRecord = statement(
  {
    delivered: 'json',
    lease: 'uuid',
    leasedAt: 'timestamptz',
    now: 'timestamptz',
    notedBefore: 'timestamptz',
  },
  (db, $) => {
    const result = db
      .$with('result', deliveredColumns)
      .as(sql`select * from ${recordset($.delivered, deliveredColumns)}`)
    const recorded = db.$with('recorded').as(
      db
        .update(deliveries)
        .set({
          status: 'delivered',
          attempts: sql`${deliveries.attempts} + 1`,
          nextAttemptAt: null,
          lease: null,
          lastAttemptAt: $.leasedAt,
          lastResponseCode: result.code,
          lastFailure: null,
        })
        .from(result)
        .where(
          and(
            eq(deliveries.endpointId, result.endpointId),
            eq(deliveries.eventId, result.eventId),
            eq(deliveries.lease, $.lease),
          ),
        )
        .returning({ eventId: deliveries.eventId }),
    )
    const attempt = keepAttempts(db, {
      rows: result,
      recorded,
      ...columnsOf(result),
      leasedAt: $.leasedAt,
      failure: sql`null`,
    })
    const hook = hooks(db, $.now)
    // Most have nothing to note, and are not locked; who is at work on one has something newer to note.
    const toNote = db
      .select({ wallet: webhookTargets.wallet, urlHash: webhookTargets.urlHash })
      .from(webhookTargets)
      .innerJoin(hook, isTargetOf(hook))
      .where(
        and(
          inArray(hook.id, db.select({ id: result.endpointId }).from(result)),
          or(
            sql`${webhookTargets.failingSince} is not null`,
            lt(webhookTargets.lastAttemptAt, $.notedBefore),
          ),
        ),
      )
      .for('update', { of: webhookTargets, skipLocked: true })
    const noted = db
      .$with('noted')
      .as(
        db
          .update(webhookTargets)
          .set({ failingSince: null, lastAttemptAt: $.leasedAt })
          .where(sql`(${webhookTargets.wallet}, ${webhookTargets.urlHash}) in (${toNote})`)
          .returning({ urlHash: webhookTargets.urlHash }),
      )
    return db
      .with(result, recorded, attempt, noted)
      .select({ count: sql`count(*)`.mapWith(Number) })
      .from(recorded)
  },
)

/**
 * Records attempts as answered 2xx, and their deliveries as taken, unless the lease of these was lost
 * meanwhile.
 * @param notedBefore when the last attempt at a target was noted earlier, it is noted anew
 */
export async function recordDelivered(
  db: Db,
  taken: { lease: string; leasedAt: Date; delivered: Delivered[]; now: Date; notedBefore: Date },
): Promise<void> {
  await deliveredRecord.run(db, taken)
}

import { and, inArray, lt, sql } from 'drizzle-orm'
import { deliveries } from '../../schema/tables/events.ts'
import { webhookEndpoints, webhookHosts } from '../../schema/tables/webhook-endpoints.ts'
import { isWebhookOf } from '../agents/webhook-queries.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'

const oldDeletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .delete(deliveries)
    .where(
      inArray(
        deliveries.eventId,
        db
          .select({ eventId: deliveries.eventId })
          .from(deliveries)
          .where(lt(deliveries.createdAt, $.before))
          .limit($.limit)
          .for('update', { skipLocked: true }),
      ),
    ),
)

/** Deletes up to `limit` deliveries that were put in line before a time, whatever became of them. */
export async function deleteOldDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await oldDeletion.run(db, { before, limit })
  return rowCount
}

const { wallet, urlHash, lastAttemptAt } = webhookEndpoints

const oldEndpointDeletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
  db.delete(webhookEndpoints).where(
    sql`(${wallet}, ${urlHash}) in (${db
      .select({ wallet, urlHash })
      .from(webhookEndpoints)
      .where(and(lt(lastAttemptAt, $.before), sql`not ${isWebhookOf(wallet, urlHash)}`))
      .limit($.limit)
      .for('update', { skipLocked: true })})`,
  ),
)

const oldHostDeletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .delete(webhookHosts)
    .where(
      inArray(
        webhookHosts.host,
        db
          .select({ host: webhookHosts.host })
          .from(webhookHosts)
          .where(lt(webhookHosts.minute, $.before))
          .limit($.limit)
          .for('update', { skipLocked: true }),
      ),
    ),
)

/** Deletes up to `limit` endpoints that no agent uses and that were not tried since a time. */
export async function deleteOldEndpoints(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await oldEndpointDeletion.run(db, { before, limit })
  return rowCount
}

/** Deletes up to `limit` counters of hosts whose minute began before a time. */
export async function deleteOldHosts(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await oldHostDeletion.run(db, { before, limit })
  return rowCount
}

import { and, asc, lt, sql } from 'drizzle-orm'
import { deliveries } from '../../schema/tables/events.ts'
import { webhookEndpoints, webhookHosts } from '../../schema/tables/webhook-endpoints.ts'
import { isWebhookOf } from '../agents/webhook-queries.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'

/*
 * The oldest first, so that an index leads to them, and as an array, so that their keys do, whatever the
 * planner thinks of how many there are.
 */

const oldDeletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .delete(deliveries)
    .where(
      sql`${deliveries.eventId} = any (array(${db
        .select({ eventId: deliveries.eventId })
        .from(deliveries)
        .where(lt(deliveries.createdAt, $.before))
        .orderBy(asc(deliveries.createdAt))
        .limit($.limit)
        .for('update', { skipLocked: true })}))`,
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
      .orderBy(asc(lastAttemptAt))
      .limit($.limit)
      .for('update', { skipLocked: true })})`,
  ),
)

const oldHostDeletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .delete(webhookHosts)
    .where(
      sql`${webhookHosts.host} = any (array(${db
        .select({ host: webhookHosts.host })
        .from(webhookHosts)
        .where(lt(webhookHosts.minute, $.before))
        .orderBy(asc(webhookHosts.minute))
        .limit($.limit)
        .for('update', { skipLocked: true })}))`,
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

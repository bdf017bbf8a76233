import { and, asc, lt, sql } from 'drizzle-orm'
import { deliveries, deliveryAttempts } from '../../schema/tables/events.ts'
import { webhookHosts, webhookTargets } from '../../schema/tables/webhook-targets.ts'
import { isWebhookOf } from '../agents/webhook-queries.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { isEndpointOf } from './endpoints/endpoint-queries.ts'

/*
 * The oldest first, so that an index leads to them, and as an array of where their rows lie, so that the
 * planner looks for nothing else, whatever it thinks of how many there are.
 */

const deliveryDeletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
  db.delete(deliveries).where(
    sql`${deliveries}.ctid = any (array(${db
      .select({ ctid: sql`${deliveries}.ctid` })
      .from(deliveries)
      .where(lt(deliveries.createdAt, $.before))
      .orderBy(asc(deliveries.createdAt))
      .limit($.limit)
      .for('update', { skipLocked: true })}))`,
  ),
)

const attemptDeletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
  db.delete(deliveryAttempts).where(
    sql`${deliveryAttempts}.ctid = any (array(${db
      .select({ ctid: sql`${deliveryAttempts}.ctid` })
      .from(deliveryAttempts)
      .where(lt(deliveryAttempts.attemptedAt, $.before))
      .orderBy(asc(deliveryAttempts.attemptedAt))
      .limit($.limit)
      .for('update', { skipLocked: true })}))`,
  ),
)

/** Deletes up to `limit` deliveries that were put in line before a time, whatever became of them. */
export async function deleteOldDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await deliveryDeletion.run(db, { before, limit })
  return rowCount
}

/** Deletes up to `limit` attempts that were made before a time. */
export async function deleteOldAttempts(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await attemptDeletion.run(db, { before, limit })
  return rowCount
}

const { wallet, urlHash, lastAttemptAt } = webhookTargets

const targetDeletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
  db.delete(webhookTargets).where(
    sql`${webhookTargets}.ctid = any (array(${db
      .select({ ctid: sql`${webhookTargets}.ctid` })
      .from(webhookTargets)
      .where(
        and(
          lt(lastAttemptAt, $.before),
          sql`not ${isWebhookOf(wallet, urlHash)}`,
          sql`not ${isEndpointOf(wallet, urlHash)}`,
        ),
      )
      .orderBy(asc(lastAttemptAt))
      .limit($.limit)
      .for('update', { skipLocked: true })}))`,
  ),
)

const hostDeletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
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

/** Deletes up to `limit` targets that no endpoint has and that were not tried since a time. */
export async function deleteOldTargets(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await targetDeletion.run(db, { before, limit })
  return rowCount
}

/** Deletes up to `limit` counters of hosts whose minute began before a time. */
export async function deleteOldHosts(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await hostDeletion.run(db, { before, limit })
  return rowCount
}

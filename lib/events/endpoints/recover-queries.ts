import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { deliveries } from '../../../schema/tables/events.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { allEndpoints } from '../all-endpoint-queries.ts'

const failedRecovery = statement(
  { id: 'uuid', wallet: deliveries.wallet, since: 'timestamptz', now: 'timestamptz', limit: 'integer' },
  (db, $) => {
    const endpoint = allEndpoints(db)
    const found = db.$with('found').as(
      db
        .select({ id: endpoint.id, isLive: endpoint.isLive })
        .from(endpoint)
        .where(and(eq(endpoint.id, $.id), eq(endpoint.wallet, $.wallet))),
    )
    const failed = db.$with('failed').as(
      db
        .select({ eventId: deliveries.eventId })
        .from(deliveries)
        .innerJoin(found, and(eq(found.id, deliveries.endpointId), sql`${found.isLive}`))
        .where(
          and(
            eq(deliveries.endpointId, $.id),
            sql`${deliveries.status} = 'failed'`,
            gte(deliveries.createdAt, $.since),
          ),
        )
        .orderBy(asc(deliveries.createdAt))
        .limit($.limit)
        .for('update', { of: deliveries }),
    )
    const recovered = db.$with('recovered').as(
      db
        .update(deliveries)
        // Like a new delivery, with the whole schedule of attempts.
        .set({ status: 'pending', attempts: 0, createdAt: $.now, nextAttemptAt: $.now })
        .from(failed)
        .where(and(eq(deliveries.endpointId, $.id), eq(deliveries.eventId, failed.eventId)))
        .returning({ eventId: deliveries.eventId }),
    )
    return db
      .with(found, failed, recovered)
      .select({
        isLive: found.isLive,
        count: sql`(select count(*) from ${recovered})`.mapWith(Number),
      })
      .from(found)
  },
)

/**
 * Enqueues up to `limit` failed deliveries again that were enqueued since a time, oldest first. Does nothing
 * if the endpoint is disabled.
 * @returns undefined if the endpoint does not exist or belongs to another wallet
 */
export async function recoverFailed(
  db: Db,
  recovery: { id: string; wallet: Wallet; since: Date; now: Date; limit: number },
): Promise<{ isLive: boolean; count: number } | undefined> {
  const [row] = await failedRecovery.run(db, recovery)
  return row
}

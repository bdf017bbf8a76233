import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { deliveries } from '../../../schema/tables/events.ts'
import { webhookEndpoints } from '../../../schema/tables/webhook-endpoints.ts'
import { webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { columnsOf } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { releaseWebhookEndpoint } from '../../quotas/queries.ts'
import { isDestinationOf, isPending } from '../destination-queries.ts'
import { destinationColumns, type EndpointRow, isOwnWebhook, ownColumns } from './endpoint-queries.ts'

const endpointDeletion = statement(
  { id: webhookEndpoints.id, wallet: webhookEndpoints.wallet, now: 'timestamptz', limit: 'integer' },
  (db, $) => {
    const removed = db.$with('removed').as(
      db
        .delete(webhookEndpoints)
        .where(and(eq(webhookEndpoints.id, $.id), eq(webhookEndpoints.wallet, $.wallet)))
        .returning(ownColumns),
    )
    const quota = releaseWebhookEndpoint(db, removed)
    // Skips running attempts, so that their results are recorded.
    const waiting = db
      .select({ ctid: sql`${deliveries}.ctid` })
      .from(deliveries)
      .where(
        and(
          sql`${deliveries.endpointId} = (select ${removed.id} from ${removed})`,
          isPending,
          or(isNull(deliveries.lease), lte(deliveries.nextAttemptAt, $.now)),
        ),
      )
      .limit($.limit)
      .for('update', { skipLocked: true })
    const ended = db
      .$with('ended')
      .as(
        db
          .update(deliveries)
          .set({ status: 'failed', nextAttemptAt: null, lease: null })
          .where(sql`${deliveries}.ctid = any (array(${waiting}))`)
          .returning({ id: deliveries.endpointId }),
      )
    return db
      .with(removed, quota, ended)
      .select({
        isWebhook: isOwnWebhook(db, $),
        removed: columnsOf(removed),
        destination: destinationColumns,
      })
      .from(sql`(select) as once`)
      .leftJoin(removed, sql`true`)
      .leftJoin(webhookTargets, isDestinationOf(removed))
  },
)

/**
 * Deletes an endpoint that the wallet has made, and its secrets, and returns its quota slot. Gives up at most
 * `limit` of its pending deliveries, so that the time is bounded; a sweep gives up the rest.
 * @returns the deleted endpoint, if any; `isWebhook`: the id belongs to the webhook of one of the wallet's
 *   agents
 */
export async function deleteEndpoint(
  db: Db,
  endpoint: { id: string; wallet: Wallet; now: Date; limit: number },
): Promise<{ endpoint: EndpointRow | undefined; isWebhook: boolean }> {
  const [row] = await endpointDeletion.run(db, endpoint)
  const { isWebhook = false, removed = null, destination = null } = row ?? {}
  return { isWebhook, endpoint: removed ? { ...removed, kind: 'wallet', destination } : undefined }
}

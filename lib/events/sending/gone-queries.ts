import { and, isNull, or, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { deliveries } from '../../../schema/tables/events.ts'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { isGone } from '../all-endpoint-queries.ts'
import { isPending } from '../destination-queries.ts'

/* Gives up deliveries to deleted endpoints. */

/**
 * Makes an update that gives up at most `limit` pending deliveries, for a CTE or by itself. It skips
 * deliveries with a running attempt, so that their results are recorded.
 * @param deleted.isOf the condition that selects deliveries to deleted endpoints
 */
export const giveUp = (
  db: Builder,
  deleted: { isOf: SQL; now: SQLWrapper; limit: SQL<number> & Placeholder<string, number> },
) =>
  db
    .update(deliveries)
    .set({ status: 'failed', nextAttemptAt: null, lease: null })
    .where(
      sql`${deliveries}.ctid = any (array(${db
        .select({ ctid: sql`${deliveries}.ctid` })
        .from(deliveries)
        .where(
          and(
            deleted.isOf,
            isPending,
            or(isNull(deliveries.lease), sql`${deliveries.nextAttemptAt} <= ${deleted.now}`),
          ),
        )
        .limit(deleted.limit)
        .for('update', { skipLocked: true })}))`,
    )

const endOfGone = statement({ ids: 'uuid[]', now: 'timestamptz', limit: 'integer' }, (db, $) =>
  giveUp(db, {
    ...$,
    isOf: sql`(${deliveries.endpointId} = any (${$.ids}) and ${isGone(deliveries.endpointId)})`,
  }),
)

/**
 * Gives up at most `limit` pending deliveries of those endpoints in the list that were deleted.
 * @returns the number of deliveries
 */
export async function endDeliveries(
  db: Db,
  of: { ids: string[]; now: Date; limit: number },
): Promise<number> {
  const { rowCount } = await endOfGone.run(db, of)
  return rowCount
}

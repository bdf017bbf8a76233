import { and, asc, gt, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import { deliveries } from '../../../schema/tables/events.ts'
import type { Builder } from '../../db/builder.ts'
import type { Columns } from '../../db/columns.ts'

/** As many as one statement makes due. What is beyond keeps its time, until its owner asks once more. */
const MAX_RELEASED = 5_000

/**
 * The CTE `released`: what has failed at an endpoint and waits to be tried again is due now, since its owner
 * has enabled it or set another URL. What came in meanwhile is due already, and what is under way is left.
 * @param changed a CTE with the endpoint, if it was changed
 */
export const releaseHeld = (
  db: Builder,
  { changed, now }: { changed: Columns<{ id: unknown }>; now: SQLWrapper },
) => {
  const { endpointId, status, lease, nextAttemptAt } = deliveries
  return db.$with('released').as(
    db
      .update(deliveries)
      .set({ nextAttemptAt: sql`${now}` })
      .where(
        sql`${deliveries}.ctid = any (array(${db
          .select({ ctid: sql`${deliveries}.ctid` })
          .from(deliveries)
          .where(
            and(
              sql`${endpointId} = (select ${changed.id} from ${changed})`,
              sql`${status} = 'pending'`,
              isNull(lease),
              gt(nextAttemptAt, now),
            ),
          )
          .orderBy(asc(nextAttemptAt))
          .limit(MAX_RELEASED)
          .for('update', { skipLocked: true })}))`,
      )
      .returning({ endpointId }),
  )
}

import { type SQL, sql } from 'drizzle-orm'
import { deliveries, deliveryWalk } from '../../../schema/tables/events.ts'
import { name } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'

/** The most endpoints that one statement checks: the ones with the most new deliveries. */
const MOST_GROWN = 100

const fullEndpoints = statement(
  { before: 'timestamptz', deliveries: 'integer', waiting: 'integer', free: 'integer' },
  (db, $) => {
    const { endpointId, createdAt, status, rank, nextAttemptAt } = deliveries
    const { isOnly, lookedUntil } = deliveryWalk
    const next = db
      .$with('next')
      .as(
        db
          .select({ endpointId, createdAt })
          .from(deliveries)
          .where(
            sql`${createdAt} > (select ${lookedUntil} from ${deliveryWalk}) and ${createdAt} <= ${$.before}`,
          )
          .orderBy(createdAt)
          .limit($.deliveries),
      )
    const looked = db.$with('looked', { lookedUntil }).as(sql`
      update ${deliveryWalk} set ${name(lookedUntil)} = (
        select case when count(*) < ${$.deliveries} then ${$.before} else max(${next.createdAt}) end from ${next})
      where ${isOnly} returning ${lookedUntil}`)
    const grown = db
      .select({ id: next.endpointId })
      .from(next)
      .groupBy(next.endpointId)
      .orderBy(sql`count(*) desc`)
      .limit(MOST_GROWN)
      .as('grown')
    const waitMore = (ranks: SQL, than: SQL) => sql`exists (
      select from ${deliveries} where ${endpointId} = ${grown.id} and ${ranks} and ${status} = 'pending'
      order by ${rank}, ${nextAttemptAt} offset ${than})`
    const isFull = sql`(${waitMore(sql`${rank} > 0`, $.waiting)} or ${waitMore(sql`${rank} = 0`, $.free)})`
    return db
      .with(next, looked)
      .select({
        ids: sql<string[]>`coalesce(array_agg(${grown.id}::text) filter (where ${isFull}), '{}')`,
        isLast: sql<boolean>`(select ${lookedUntil} >= ${$.before} from ${looked})`,
      })
      .from(grown)
  },
)

/**
 * Reads the next `deliveries` up to a time before which all transactions have ended, and finds full
 * endpoints. It reads each delivery once, however far apart the sweeps are.
 * @returns endpoints with more than `waiting` pending deliveries, or more than `free` of rank 0; `isLast`: no
 *   more deliveries to read
 */
export async function selectFullEndpoints(
  db: Db,
  look: { before: Date; deliveries: number; waiting: number; free: number },
): Promise<{ ids: string[]; isLast: boolean }> {
  const [found] = await fullEndpoints.run(db, look)
  if (!found) throw new Error('a look has no result')
  return found
}

import { desc, sql } from 'drizzle-orm'
import { events } from '../../schema/tables/events.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'

/* What a restore asks of the log; no Worker runs this. */

const newest = read({}, (db) =>
  db
    .select({
      isAhead: sql<boolean>`${events.xid} >= (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint`,
    })
    .from(events)
    .orderBy(desc(events.id))
    .limit(1),
)

/**
 * Whether the newest event is of a transaction that this server has not reached: the rows are of another
 * server, restored from a dump. Readers of the log would not see such events, nor later ones in their order.
 */
export async function isLogAhead(db: Db): Promise<boolean> {
  const [event] = await newest.run(db, {})
  return event?.isAhead ?? false
}

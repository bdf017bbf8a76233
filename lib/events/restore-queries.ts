import { desc, sql } from 'drizzle-orm'
import { events } from '../../schema/tables/events.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'

/* Reads the log for a restore; no Worker runs this. */

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
 * Whether the newest event's transaction number is ahead of this server's: the rows come from another
 * server's dump. Readers of the log would see neither such events nor later ones.
 */
export async function isLogAhead(db: Db): Promise<boolean> {
  const [event] = await newest.run(db, {})
  return event?.isAhead ?? false
}

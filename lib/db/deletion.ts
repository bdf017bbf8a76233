import { and, asc, lt, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './connect.ts'
import { statement } from './statement.ts'

/**
 * Makes a function that deletes up to `limit` rows of a table from before a time and returns their number. It
 * takes the oldest first, by the column's index. It deletes them by an array of ctids, so that the planner
 * reads no other rows.
 * @param at a column with its own index
 * @param isDeleted limits the rows, with the same text as the index's condition
 */
export function deletionOf(table: PgTable, at: AnyPgColumn, isDeleted?: SQL) {
  const deletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
    db.delete(table).where(
      sql`${table}.ctid = any (array(${db
        .select({ ctid: sql`${table}.ctid` })
        .from(table)
        .where(and(lt(at, $.before), isDeleted))
        .orderBy(asc(at))
        .limit($.limit)
        .for('update', { skipLocked: true })}))`,
    ),
  )
  return async (db: Db, before: Date, limit: number): Promise<number> => {
    const { rowCount } = await deletion.run(db, { before, limit })
    return rowCount
  }
}

import { and, asc, lt, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './connect.ts'
import { statement } from './statement.ts'

/**
 * Makes the function that deletes up to `limit` rows of a table from before a time and returns how many. The
 * oldest first, so that the column's index leads to them, and as an array of their places (ctid), so that the
 * planner reads no other row, however many it expects.
 * @param at a column with an index of its own
 * @param isDeleted which rows, if not all: the text of the index's condition
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

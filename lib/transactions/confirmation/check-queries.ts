import { and, eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'

/** A table of transactions that the network is asked about while they are `open`. */
type CheckedTable = PgTable & { [Name in 'id' | 'status' | 'dueAt' | 'searchedTo']: PgColumn }

/**
 * Declares the writes of a feature's check schedule; called at module level.
 * @param searchedAt the column that says before when nobody searches
 */
export function checksIn<T extends CheckedTable, C extends 'askedAt' | 'searchAfter'>(
  table: T & { [Name in C]: PgColumn },
  searchedAt: C,
) {
  const checksRecorded = statement(
    { ids: 'uuid[]', dueAts: 'timestamptz[]', now: 'timestamptz' },
    (db, $) => {
      // Skips a transaction that another caller has locked to settle it.
      const free = db
        .select({ id: table.id })
        .from(table as PgTable)
        .where(
          and(
            sql`${table.id} = any (${$.ids})`,
            // A single value makes the planner find the rows by id instead of scanning all due rows.
            sql`case when ${table.status} = 'open' then ${table.dueAt} end < ${$.now}`,
          ),
        )
        .for('update', { skipLocked: true })
      return db
        .update(table as PgTable)
        .set({ dueAt: sql`check_at` })
        .from(sql`unnest(${$.ids}, ${$.dueAts}) as next_check (check_id, check_at)`)
        .where(and(eq(table.id, sql`check_id`), sql`${table.id} = any (array(${free}))`))
    },
  )
  const searchRecorded = statement({ id: 'uuid', searchedTo: 'text?', at: 'timestamptz' }, (db, $) =>
    db
      .update(table as PgTable)
      .set({ searchedTo: $.searchedTo, [searchedAt]: $.at, dueAt: $.at })
      .where(and(eq(table.id, $.id), eq(table.status, 'open'))),
  )
  return {
    /**
     * Records when transactions that were asked about are due next, while they are open. The time that a
     * search has recorded stays.
     */
    async recordChecks(db: Db, checks: { ids: string[]; dueAts: Date[]; now: Date }): Promise<void> {
      await checksRecorded.run(db, checks)
    },
    /** Records that a search has proven nothing: where the next one goes on, and when. */
    async recordSearch(db: Db, search: { id: string; searchedTo: string | null; at: Date }): Promise<void> {
      await searchRecorded.run(db, search)
    },
  }
}

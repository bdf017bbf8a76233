import { and, asc, eq, sql } from 'drizzle-orm'
import { positions } from '../../../schema/tables/vaults.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import type { PositionRow } from '../queries.ts'

/* Statements of a restore about positions. No Worker runs them. */

const openPage = read({ after: positions.address, limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.status, 'open'), sql`${positions.address} > ${$.after}`))
    .orderBy(asc(positions.address))
    .limit($.limit),
)

/** Reads a page of all open positions, in the order of their addresses. */
export const selectOpenPositions = (db: Db, page: { after: string; limit: number }): Promise<PositionRow[]> =>
  openPage.run(db, { ...page, after: page.after as PositionRow['address'] })

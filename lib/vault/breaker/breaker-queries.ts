import { and, asc, eq, sql } from 'drizzle-orm'
import { positions } from '../../../schema/tables/vaults.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import type { PositionRow } from '../queries.ts'

/* The circuit breaker's statements. The operator's are in switch-queries.ts. */

const suspected = read({ generations: 'smallint[]', limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.early, 'seen'), sql`${positions.generation} = any(${$.generations})`))
    .orderBy(asc(positions.suspectedSlot))
    .limit($.limit),
)

/** Positions that were seen to be paid out of early, which a finalized read is to confirm, oldest first. */
export const selectSuspected = (db: Db, generations: number[], limit: number): Promise<PositionRow[]> =>
  suspected.run(db, { generations, limit })

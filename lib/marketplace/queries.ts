import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { totals } from '../../schema/tables/totals.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import { pioneerCount } from '../pioneer/queries.ts'

/** The totals at one moment. */
export type Totals = { pioneers: number; agents: number; attestations: number; valueLocked: bigint }

const sum = <T>(column: PgColumn, read: (text: string) => T) =>
  sql`coalesce(sum(${column}), 0)`.mapWith(read) as SQL<T>

/** Returns the columns of the figures for a select from `totals`. */
export const figures = () => ({
  pioneers: pioneerCount(),
  agents: sum(totals.agents, Number),
  attestations: sum(totals.attestations, Number),
  valueLocked: sum(totals.valueLocked, BigInt),
})

const runningTotals = read({}, (db) => db.select(figures()).from(totals))

/** Reads the running totals: at most 16 rows and a counter, for tables of any size. */
export async function selectTotals(db: Db): Promise<Totals> {
  const [row] = await runningTotals.run(db, {})
  if (!row) throw new Error('an aggregate returned no row')
  return row
}

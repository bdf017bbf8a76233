import { sql } from 'drizzle-orm'
import { bigint, numeric, pgTable, smallint } from 'drizzle-orm/pg-core'

const count = () => bigint({ mode: 'bigint' }).notNull().default(sql`0`)

/**
 * Running totals, kept by triggers (migrations/0000_init.sql) that run when a transaction commits. A total
 * is the sum over at most 16 rows. Each transaction writes to the one row of its server process, so that
 * commits rarely wait for each other, and takes that lock after all its others, so that it is never part of a
 * deadlock. A row alone means nothing, and may be negative.
 */
export const totals = pgTable('totals', {
  shard: smallint().primaryKey(),
  agents: count(),
  attestations: count(),
  /** Principal of positions not withdrawn. All positions together may exceed a bigint. */
  valueLocked: numeric('value_locked', { precision: 39, scale: 0, mode: 'bigint' }).notNull().default(sql`0`),
})

import { sql } from 'drizzle-orm'
import { bigint, date, integer, numeric, pgTable, smallint } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

const count = () => bigint({ mode: 'bigint' }).notNull().default(sql`0`)

/**
 * Running totals, written by triggers (migrations/0000_init.sql) at the commit of a transaction. A total is
 * the sum over at most 16 rows. Each transaction writes to the row of its server process, so commits rarely
 * wait for each other. It takes this lock last, so it is never part of a deadlock. A single row has no
 * meaning, and may be negative.
 */
export const totals = pgTable('totals', {
  shard: smallint().primaryKey(),
  agents: count(),
  attestations: count(),
  /** Principal of positions not withdrawn. All positions together may exceed a bigint. */
  valueLocked: numeric('value_locked', { precision: 39, scale: 0, mode: 'bigint' }).notNull().default(sql`0`),
})

/** The protocol's figures at the first record of a day. A row never changes. */
export const statsDays = pgTable('stats_days', {
  /** In UTC. */
  day: date({ mode: 'string' }).primaryKey(),
  takenAt: instant('taken_at').notNull(),
  pioneers: integer().notNull(),
  agents: bigint({ mode: 'number' }).notNull(),
  attestations: bigint({ mode: 'number' }).notNull(),
  /** Principal of positions not withdrawn. */
  valueLocked: numeric('value_locked', { precision: 39, scale: 0, mode: 'bigint' }).notNull(),
})

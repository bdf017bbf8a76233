import { sql } from 'drizzle-orm'
import { bigint, date, integer, numeric, pgTable, smallint } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

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

/** The protocol's figures as they stood when a day was first recorded. A row never changes. */
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

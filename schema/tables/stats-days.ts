import { bigint, date, integer, numeric, pgTable } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

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

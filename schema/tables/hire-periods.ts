import { sql } from 'drizzle-orm'
import { check, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { MAX_CHARGED } from '../values.ts'
import { instant, int64 } from './columns.ts'
import { hires } from './hires.ts'

/**
 * What was charged in a period of a hire, which is one of its terms. A period has a row from its first charge
 * on, recorded or refused; one without a row has had none.
 */
export const hirePeriods = pgTable(
  'hire_periods',
  {
    hireId: uuid('hire_id')
      .notNull()
      .references(() => hires.id),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** Lamports: the sum of its charges that are not voided. */
    spent: int64('spent').notNull(),
    /** The charge by which the budget ran low, and the one by which it was used up or that did not fit. */
    lowById: uuid('low_by_id'),
    exhaustedById: uuid('exhausted_by_id'),
  },
  (t) => [
    primaryKey({ columns: [t.hireId, t.startsAt] }),
    check('hire_periods_spent', sql`${t.spent} between 0 and ${sql.raw(String(MAX_CHARGED))}`),
  ],
)

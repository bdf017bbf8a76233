import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Cred } from '../amounts.ts'
import { JOB_JUDGES_OF_AGENT, JOB_MINUTES, MAX_CHARGED } from '../values.ts'
import { agents } from './agents.ts'
import { instant, int64 } from './columns.ts'

/** The terms under which an agent is sent jobs. An agent without a row is sent none. */
export const jobTerms = pgTable(
  'job_terms',
  {
    agentId: uuid('agent_id')
      .primaryKey()
      .references(() => agents.id),
    /** The lowest price that it works for, in lamports of CRED. */
    minPrice: int64('min_price').$type<Cred>().notNull(),
    /** The shortest time that it needs from the funding to the delivery. */
    workMinutes: integer('work_minutes').notNull(),
    /** The judges that hirers may choose: `deployment`, `none`, or wallets. */
    judges: text().array().notNull(),
    setAt: instant('set_at').notNull(),
  },
  (t) => [
    check('job_terms_min_price', sql`${t.minPrice} between 1 and ${sql.raw(String(MAX_CHARGED))}`),
    check(
      'job_terms_work_minutes',
      sql`${t.workMinutes} between ${sql.raw(`${JOB_MINUTES.work.min} and ${JOB_MINUTES.work.max}`)}`,
    ),
    check(
      'job_terms_judges',
      sql`cardinality(${t.judges}) between 1 and ${sql.raw(String(JOB_JUDGES_OF_AGENT))}`,
    ),
  ],
)

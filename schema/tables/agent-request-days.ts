import { sql } from 'drizzle-orm'
import { check, date, integer, numeric, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { agents } from './agents.ts'

/** Settled payments for requests to an agent on a day, in UTC, for the days of its history. */
export const agentRequestDays = pgTable(
  'agent_request_days',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    day: date({ mode: 'string' }).notNull(),
    payments: integer().notNull(),
    /** The sum of the payments in CRED, in lamports. */
    paid: numeric({ precision: 38, scale: 0, mode: 'bigint' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.day] }),
    check('agent_request_days_counts', sql`${t.payments} > 0 and ${t.paid} >= 0`),
  ],
)

import { sql } from 'drizzle-orm'
import { check, date, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { Cred, Lamports } from '../amounts.ts'
import type { Wallet } from '../wallet.ts'
import { int64 } from './columns.ts'

/** Owners' unused credit, and what their payments cost the fee payer on their last day. */
export const credits = pgTable(
  'credits',
  {
    owner: text().$type<Wallet>().primaryKey(),
    balance: int64('balance').$type<Cred>().notNull(),
    /** A balance below this is reported as low, once. Null after the report, until the owner buys credit. */
    lowBelow: int64('low_below').$type<Cred>(),
    /** The last day, in UTC, on which a payment was recorded, and the network fees of that day. */
    day: date({ mode: 'string' }),
    dayFees: int64('day_fees').$type<Lamports>().notNull().default(sql`0`),
    /** The last day (UTC) on which payments failed or expired, and how many of them the owner was shown. */
    failuresDay: date('failures_day', { mode: 'string' }),
    failuresTold: integer('failures_told').notNull().default(0),
  },
  (t) => [check('credits_not_overdrawn', sql`${t.balance} >= 0 and ${t.dayFees} >= 0`)],
)

import { sql } from 'drizzle-orm'
import { bigint, check, date, numeric, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { chargeRoles, paidKinds } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { agents } from './agents.ts'

const lamports = (name: string) => numeric(name, { precision: 38, scale: 0, mode: 'bigint' }).notNull()

/**
 * What a wallet was paid for an agent in a month, or has paid: running totals, so that no list is read to sum
 * it up. Triggers write them when a charge is collected or a payment for a request settles, whatever function
 * does that (migrations/0019_payment_months.sql). Both lock the agent first, so no two transactions write one
 * row at once.
 */
export const paymentMonths = pgTable(
  'payment_months',
  {
    wallet: text().$type<Wallet>().notNull(),
    role: text({ enum: chargeRoles }).notNull(),
    /** Its first day. Months are in UTC. */
    month: date({ mode: 'string' }).notNull(),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    kind: text({ enum: paidKinds }).notNull(),
    /** The mint of another coin than CRED; empty for CRED. */
    coin: text().notNull(),
    payments: bigint({ mode: 'number' }).notNull(),
    amount: lamports('amount'),
    /** Of charges the protocol fee, in `amount`; of requests the credit that they used, beside `amount`. */
    fee: lamports('fee'),
  },
  (t) => [
    primaryKey({ columns: [t.wallet, t.role, t.month, t.agentId, t.kind, t.coin] }),
    check('payment_months_sums', sql`${t.payments} > 0 and ${t.amount} > 0 and ${t.fee} >= 0`),
  ],
)

import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Cred } from '../amounts.ts'
import type { Address } from '../wallet.ts'
import { instant, int64 } from './columns.ts'
import { jobs } from './jobs.ts'
import { paymentIntents } from './payment-accounts.ts'

/** The jobs whose escrows a transaction makes, pays from or closes. */
export const paymentIntentJobs = pgTable(
  'payment_intent_jobs',
  {
    intentId: uuid('intent_id')
      .notNull()
      .references(() => paymentIntents.id, { onDelete: 'cascade' }),
    jobId: uuid('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** The escrow: createWithSeed(hirer, seed). A funding makes a new one. */
    address: text().$type<Address>().notNull(),
    /** Of a funding: the seed of the address. */
    seed: text(),
    amount: int64('amount').$type<Cred>().notNull(),
    /** Of a collection: the part of the amount that goes to the treasury. */
    fee: int64('fee').$type<Cred>().notNull(),
    /**
     * The balance that the escrow must have: what it owes to both sides. The amount, in a refund of all that
     * leaves the escrow open. A refund without it closes the escrow.
     */
    guard: int64('guard').$type<Cred>(),
    /**
     * Of a funding that was confirmed too late, so that it paid for no job: when that was found, and when
     * its hirer had the money back. Rent, and gifts of others, may be left in the escrow.
     */
    strayAt: instant('stray_at'),
    returnedAt: instant('returned_at'),
  },
  (t) => [
    primaryKey({ columns: [t.intentId, t.jobId] }),
    index('payment_intent_jobs_by_job').on(t.jobId, t.intentId),
    check(
      'payment_intent_jobs_amounts',
      sql`${t.amount} >= 0 and ${t.fee} between 0 and ${t.amount} and ${t.guard} >= ${t.amount}`,
    ),
    check('payment_intent_jobs_stray', sql`${t.strayAt} is null or ${t.seed} is not null`),
    check('payment_intent_jobs_returned', sql`${t.returnedAt} is null or ${t.strayAt} is not null`),
  ],
)

import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { counterpartyKinds } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { int64 } from './columns.ts'

// In the database, these two tables keep the names that the first release gave them.

/**
 * A wallet's counterparties, one row for each other wallet and kind. By the primary key a pair counts once,
 * however often the two deal.
 */
export const counterparties = pgTable(
  'dealings',
  {
    wallet: text().$type<Wallet>().notNull(),
    kind: text({ enum: counterpartyKinds }).notNull(),
    other: text().$type<Wallet>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.wallet, t.kind, t.other] }),
    check('dealings_not_oneself', sql`${t.wallet} <> ${t.other}`),
  ],
)

/** A wallet's reputation summary: running totals, so that one row has a reputation of any history. */
export const reputationTotals = pgTable(
  'standings',
  {
    wallet: text().$type<Wallet>().primaryKey(),
    /** The number of its counterparties of the kind `hirer`. */
    hirers: integer().notNull().default(0),
    /** The number of its counterparties of the kind `counterparty`. */
    counterparties: integer().notNull().default(0),
    /** Sums of its payers' weights, in billionths: of all payers, and of payers who are not dissatisfied. */
    payersWeight: int64('payers_weight').notNull().default(sql`0`),
    satisfiedWeight: int64('satisfied_weight').notNull().default(sql`0`),
    /** The sum of its weights as a payer, over all owners. */
    paidWeight: int64('paid_weight').notNull().default(sql`0`),
    /**
     * The number of its undecided expedited requests for verification. The row's lock enforces their limit.
     */
    openExpedited: smallint('open_expedited').notNull().default(0),
  },
  (t) => [
    check('standings_totals', sql`${t.hirers} >= 0 and ${t.counterparties} >= 0`),
    check(
      'standings_weights',
      sql`${t.satisfiedWeight} between 0 and ${t.payersWeight} and ${t.paidWeight} >= 0`,
    ),
    check('standings_open_expedited', sql`${t.openExpedited} >= 0`),
  ],
)

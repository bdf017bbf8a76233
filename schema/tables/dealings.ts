import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { dealingKinds } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { int64 } from './columns.ts'

/**
 * Whom a wallet has dealt with, once for each other wallet and kind: the primary key decides that a pair
 * counts once, however often it deals.
 */
export const dealings = pgTable(
  'dealings',
  {
    wallet: text().$type<Wallet>().notNull(),
    kind: text({ enum: dealingKinds }).notNull(),
    other: text().$type<Wallet>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.wallet, t.kind, t.other] }),
    check('dealings_not_oneself', sql`${t.wallet} <> ${t.other}`),
  ],
)

/** A wallet's running totals: a reputation is read from this row, however long the history. */
export const standings = pgTable(
  'standings',
  {
    wallet: text().$type<Wallet>().primaryKey(),
    /** Its dealings of the kind `hirer`. */
    hirers: integer().notNull().default(0),
    /** Its dealings of the kind `counterparty`. */
    counterparties: integer().notNull().default(0),
    /** Sums over its rows of payers, in billionths of a weight: of all, and of those not dissatisfied. */
    payersWeight: int64('payers_weight').notNull().default(sql`0`),
    satisfiedWeight: int64('satisfied_weight').notNull().default(sql`0`),
    /** What it weighs, as a payer, with all owners together. */
    paidWeight: int64('paid_weight').notNull().default(sql`0`),
    /** Its expedited requests for verification that are not decided. The row's lock enforces their limit. */
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

import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { dealingKinds } from '../values.ts'
import type { Wallet } from '../wallet.ts'

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

/** A wallet's running totals: a reputation is read from this row, whatever the history. */
export const standings = pgTable(
  'standings',
  {
    wallet: text().$type<Wallet>().primaryKey(),
    /** Its dealings of the kind `hirer`. */
    hirers: integer().notNull().default(0),
    /** Its dealings of the kind `counterparty`. */
    counterparties: integer().notNull().default(0),
    /** Its expedited requests for verification that are not decided. The row's lock enforces their limit. */
    openExpedited: smallint('open_expedited').notNull().default(0),
  },
  (t) => [
    check('standings_totals', sql`${t.hirers} >= 0 and ${t.counterparties} >= 0`),
    check('standings_open_expedited', sql`${t.openExpedited} >= 0`),
  ],
)

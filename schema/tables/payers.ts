import { sql } from 'drizzle-orm'
import { check, numeric, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { payeeKinds } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import '../words.ts'
import { int64 } from './columns.ts'
import { hires } from './hires.ts'

/** A sum of lamports over a whole history, which an int8 need not hold. */
const lamports = (name: string) => numeric(name, { precision: 38, scale: 0, mode: 'bigint' }).notNull()

/**
 * Who has paid whom: a wallet that hires, and an agent of another wallet (`payee` is its id), and again that
 * agent's owner (`payee` is its wallet), for all of its agents. The weight of a payer follows from its row
 * (`payer_weight` of schema/functions); agents and standings have the sums.
 */
export const payers = pgTable(
  'payers',
  {
    kind: text({ enum: payeeKinds }).notNull(),
    payee: text().notNull(),
    payer: text().$type<Wallet>().notNull(),
    /** Protocol fees of the charges collected from it, and what its payments for requests weigh by. */
    fee: lamports('fee'),
    /** The fee for a weight of one: FEE_STEP as it was when the row began. */
    feeStep: int64('fee_step').notNull(),
    /** What it has paid for requests, in CRED. */
    requestsPaid: lamports('requests_paid').default(sql`0`),
    /** Its latest, 1 to 5; null until it has rated. */
    rating: smallint(),
  },
  WORDS
    ? (t) => [
        primaryKey({ columns: [t.kind, t.payee, t.payer] }),
        check('payers_not_oneself', sql`${t.payee} <> ${t.payer}`),
        check('payers_fee', sql`${t.fee} >= 0 and ${t.feeStep} > 0`),
        check('payers_requests_paid', sql`${t.requestsPaid} >= 0`),
        check('payers_rating', sql`${t.rating} between 1 and 5`),
      ]
    : undefined,
)

/** Protocol fees of what other wallets paid an owner's agents for a layer. */
export const ownerLayers = pgTable(
  'owner_layers',
  {
    owner: text().$type<Wallet>().notNull(),
    layer: smallint().notNull(),
    fee: lamports('fee'),
  },
  WORDS ? (t) => [primaryKey({ columns: [t.owner, t.layer] })] : undefined,
)

/** What was collected for a hire, where its agent is another wallet's. */
export const hirePayments = pgTable('hire_payments', {
  hireId: uuid('hire_id')
    .primaryKey()
    .references(() => hires.id),
  collected: lamports('collected'),
})

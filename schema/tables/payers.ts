import { sql } from 'drizzle-orm'
import { check, numeric, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { payeeKinds } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { int64 } from './columns.ts'
import { hires } from './hires.ts'

/** A sum of lamports over a whole history, which may exceed an int8. */
const lamports = (name: string) => numeric(name, { precision: 38, scale: 0, mode: 'bigint' }).notNull()

/**
 * Payers and payees. A payer has a row for each paid agent of another wallet (`payee` is the agent's id). It
 * has another row for the agent's owner (`payee` is the wallet), for all of the owner's agents. A payer's
 * weight is computed from its row (`payer_weight` of schema/functions); agents and standings have the sums.
 */
export const payers = pgTable(
  'payers',
  {
    kind: text({ enum: payeeKinds }).notNull(),
    payee: text().notNull(),
    payer: text().$type<Wallet>().notNull(),
    /**
     * Protocol fees of the charges collected from it, plus the fees that its payments for requests count as.
     */
    fee: lamports('fee'),
    /** The fee for a weight of one: FEE_STEP at the row's creation. */
    feeStep: int64('fee_step').notNull(),
    /** The sum of its payments for requests in CRED. */
    requestsPaid: lamports('requests_paid').default(sql`0`),
    /** Its latest rating, 1 to 5; null before the first. */
    rating: smallint(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.payee, t.payer] }),
    check('payers_not_oneself', sql`${t.payee} <> ${t.payer}`),
    check('payers_fee', sql`${t.fee} >= 0 and ${t.feeStep} > 0`),
    check('payers_requests_paid', sql`${t.requestsPaid} >= 0`),
    check('payers_rating', sql`${t.rating} between 1 and 5`),
  ],
)

/** Protocol fees of other wallets' payments to an owner's agents, by layer. */
export const ownerLayers = pgTable(
  'owner_layers',
  {
    owner: text().$type<Wallet>().notNull(),
    layer: smallint().notNull(),
    fee: lamports('fee'),
  },
  (t) => [primaryKey({ columns: [t.owner, t.layer] })],
)

/** The sum collected for a hire whose agent belongs to another wallet. */
export const hirePayments = pgTable('hire_payments', {
  hireId: uuid('hire_id')
    .primaryKey()
    .references(() => hires.id),
  collected: lamports('collected'),
})

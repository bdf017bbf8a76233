import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Cred, Lamports } from '../amounts.ts'
import { requestPaymentStatuses } from '../values.ts'
import type { Address, Wallet } from '../wallet.ts'
import { agents } from './agents.ts'
import { instant, int64 } from './columns.ts'

/** Which key of the facilitator an agent has: the newest generation alone is valid. */
export const facilitatorKeys = pgTable(
  'facilitator_keys',
  {
    agentId: uuid('agent_id')
      .primaryKey()
      .references(() => agents.id),
    generation: integer().notNull(),
    madeAt: instant('made_at').notNull(),
  },
  (t) => [check('facilitator_keys_generation', sql`${t.generation} > 0`)],
)

/** What a request to an agent costs, and what it cost until lately. */
export const requestPrices = pgTable(
  'request_prices',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    /** The owner's word for it, such as the route. */
    name: text().notNull(),
    /** The mint, and how many of its smallest units. */
    asset: text().$type<Address>().notNull(),
    amount: int64('amount').notNull(),
    /** Since when it is a former one, which holds for ten minutes more. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.name, t.asset, t.amount] }),
    index('request_prices_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
    uniqueIndex('request_prices_one_of_a_name').on(t.agentId, t.name).where(sql`${t.endedAt} is null`),
    check('request_prices_amount', sql`${t.amount} > 0`),
  ],
)

/** Credit that was bought: each id once. */
export const creditPurchases = pgTable(
  'credit_purchases',
  {
    id: uuid().primaryKey(),
    owner: text().$type<Wallet>().notNull(),
    amount: int64('amount').$type<Cred>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('credit_purchases_by_owner').on(t.owner, t.id),
    check('credit_purchases_amount', sql`${t.amount} > 0`),
  ],
)

/** What all payments of a day, in UTC, cost the fee payer. */
export const sponsoredDays = pgTable(
  'sponsored_days',
  { day: date({ mode: 'string' }).primaryKey(), fees: int64('fees').$type<Lamports>().notNull() },
  (t) => [check('sponsored_days_fees', sql`${t.fees} >= 0`)],
)

/** Payments for single requests that the fee payer has signed. */
export const requestPayments = pgTable(
  'request_payments',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    /** Who is paid: the agent's owner. */
    owner: text().$type<Wallet>().notNull(),
    payer: text().$type<Wallet>().notNull(),
    /** The payer's token account. */
    source: text().$type<Address>().notNull(),
    asset: text().$type<Address>().notNull(),
    amount: int64('amount').notNull(),
    /** SHA-256 of the message, in hexadecimal: one message is one payment, whoever asks. */
    messageHash: text('message_hash').notNull().unique(),
    /** What is sent, each time the same bytes: Base64, with both signatures. */
    transaction: text().notNull(),
    /** The fee payer's signature, Base58: the transaction's id on the network. */
    networkSignature: text('network_signature').notNull(),
    /** Past this block height the network refuses it. */
    lastValidBlockHeight: int64('last_valid_block_height').notNull(),
    /** What it costs the fee payer, and what the owner's credit was debited. */
    networkFee: int64('network_fee').$type<Lamports>().notNull(),
    debit: int64('debit').$type<Cred>().notNull(),
    /** Of one in CRED: what it weighs by once it has settled (requestFee of lib/reputation/dealings). */
    fee: int64('fee').$type<Cred>(),
    status: text({ enum: requestPaymentStatuses }).notNull(),
    createdAt: instant('created_at').notNull(),
    /** Who waits for it, by a random id of the call, and until when nobody else does. */
    lease: uuid(),
    leasedUntil: instant('leased_until'),
    /** When the rounds ask the network about it next; null once it is resolved. */
    dueAt: instant('due_at'),
    resolvedAt: instant('resolved_at'),
    /** Of a settled one: the slot that it landed in. */
    landedSlot: int64('landed_slot'),
    /** Of a failed one: whether its payer made it fail. */
    isPayersFault: boolean('is_payers_fault'),
    /** When `success` was answered: once, ever. */
    answeredAt: instant('answered_at'),
  },
  (t) => [
    index('request_payments_in_flight').on(t.payer).where(sql`${t.status} = 'pending'`),
    index('request_payments_due').on(t.dueAt).where(sql`${t.status} = 'pending'`),
    index('request_payments_ended').on(t.resolvedAt).where(sql`${t.status} in ('failed', 'expired')`),
    index('request_payments_by_landing').on(t.source, t.landedSlot).where(sql`${t.status} = 'settled'`),
    index('request_payments_by_owner').on(t.owner, t.id),
    index('request_payments_by_payer').on(t.payer, t.id),
    check('request_payments_amounts', sql`${t.amount} > 0 and ${t.networkFee} > 0 and ${t.debit} > 0`),
    check('request_payments_fee', sql`${t.fee} between 0 and least(${t.amount}, ${t.debit})`),
    check('request_payments_lease', sql`num_nulls(${t.lease}, ${t.leasedUntil}) in (0, 2)`),
    check(
      'request_payments_resolved',
      sql`num_nulls(${t.resolvedAt}, ${t.dueAt}) = 1 and (${t.status} = 'pending') = (${t.resolvedAt} is null)`,
    ),
    check('request_payments_landed', sql`(${t.status} = 'settled') = (${t.landedSlot} is not null)`),
    check('request_payments_failed', sql`(${t.status} = 'failed') = (${t.isPayersFault} is not null)`),
    check('request_payments_answered', sql`${t.answeredAt} is null or ${t.status} = 'settled'`),
  ],
)

/**
 * How often a wallet has paid since it was last barred everywhere, and until when no agent takes payments
 * from it: from its first outcome on.
 */
export const requestPayers = pgTable('request_payers', {
  payer: text().$type<Wallet>().primaryKey(),
  settled: integer().notNull(),
  barredUntil: instant('barred_until'),
})

/** Payments that failed on the chain by their payer's fault: the last three at each agent, newest first. */
export const payerFailures = pgTable(
  'payer_failures',
  {
    payer: text().$type<Wallet>().notNull(),
    agentId: uuid('agent_id').notNull(),
    failedAt: instant('failed_at').array().notNull(),
    /** Until when the agent takes no payments from it. */
    barredUntil: instant('barred_until'),
  },
  (t) => [
    primaryKey({ columns: [t.payer, t.agentId] }),
    index('payer_failures_by_newest').on(sql`(${t.failedAt}[1])`),
  ],
)

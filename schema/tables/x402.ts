import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Cred, Lamports } from '../amounts.ts'
import {
  requestPaymentStatuses,
  requestRefusalReasons,
  requestResourceCodes,
  requestResourceStates,
} from '../values.ts'
import type { Address, Wallet } from '../wallet.ts'
import { agents } from './agents.ts'
import { instant, int64 } from './columns.ts'

/** The facilitator key of each agent. Only the newest version is valid. */
export const facilitatorKeys = pgTable(
  'facilitator_keys',
  {
    agentId: uuid('agent_id')
      .primaryKey()
      .references(() => agents.id),
    keyVersion: integer('generation').notNull(),
    madeAt: instant('made_at').notNull(),
  },
  (t) => [check('facilitator_keys_generation', sql`${t.keyVersion} > 0`)],
)

/** The prices of requests to an agent, and the prices that it had until lately. */
export const requestPrices = pgTable(
  'request_prices',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    /** The owner's name for the price, such as the route. */
    name: text().notNull(),
    /** The mint of the token, and the price in its smallest units. */
    asset: text().$type<Address>().notNull(),
    amount: int64('amount').notNull(),
    /** When a price was replaced. It stays valid for ten minutes more. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.name, t.asset, t.amount] }),
    index('request_prices_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
    uniqueIndex('request_prices_one_of_a_name').on(t.agentId, t.name).where(sql`${t.endedAt} is null`),
    check('request_prices_amount', sql`${t.amount} > 0`),
  ],
)

/** Purchases of credit. Each id is added once. */
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

/** The cost of all payments of a UTC day to the fee payer. */
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
    /** The wallet that is paid: the agent's owner. */
    owner: text().$type<Wallet>().notNull(),
    payer: text().$type<Wallet>().notNull(),
    /** The payer's token account. */
    source: text().$type<Address>().notNull(),
    asset: text().$type<Address>().notNull(),
    amount: int64('amount').notNull(),
    /** The name of the price, if the payment has one of the agent's prices without doubt. */
    priceName: text('price_name'),
    /** SHA-256, in hexadecimal, of the client's id of the purchase (extension payment-identifier). */
    identifierHash: text('identifier_hash'),
    /** SHA-256 of the message, in hexadecimal. One message is one payment, for any number of requests. */
    messageHash: text('message_hash').notNull().unique(),
    /** The transaction as sent, each time the same bytes: Base64, with both signatures. */
    transaction: text().notNull(),
    /** The fee payer's signature, Base58, which is the transaction's id on the network. */
    networkSignature: text('network_signature').notNull(),
    /** The network rejects it above this block height. */
    lastValidBlockHeight: int64('last_valid_block_height').notNull(),
    /** Its cost to the fee payer, and the owner's credit that it used. */
    networkFee: int64('network_fee').$type<Lamports>().notNull(),
    debit: int64('debit').$type<Cred>().notNull(),
    /**
     * Of a payment in CRED: its weight in reputations if settled (requestFee of
     * lib/reputation/counterparties).
     */
    fee: int64('fee').$type<Cred>(),
    status: text({ enum: requestPaymentStatuses }).notNull(),
    createdAt: instant('created_at').notNull(),
    /** The random id of the call that settles it, and the end of its lease: nobody else settles it before. */
    lease: uuid(),
    leasedUntil: instant('leased_until'),
    /** When a job asks the network about it next; null once it is resolved. */
    dueAt: instant('due_at'),
    resolvedAt: instant('resolved_at'),
    /** Of a settled payment: the slot that it is in. */
    landedSlot: int64('landed_slot'),
    /** Of a failed payment: whether its payer caused the failure. */
    isPayersFault: boolean('is_payers_fault'),
    /** When `success` was answered. It is answered at most once. */
    answeredAt: instant('answered_at'),
  },
  (t) => [
    index('request_payments_in_flight').on(t.payer).where(sql`${t.status} = 'pending'`),
    index('request_payments_due').on(t.dueAt).where(sql`${t.status} = 'pending'`),
    index('request_payments_ended').on(t.resolvedAt).where(sql`${t.status} in ('failed', 'expired')`),
    index('request_payments_by_landing').on(t.source, t.landedSlot).where(sql`${t.status} = 'settled'`),
    index('request_payments_by_owner').on(t.owner, t.id),
    index('request_payments_by_payer').on(t.payer, t.id),
    // For 30 days: after that settle_request_payment removes the hash from a payment whose id is used again.
    uniqueIndex('request_payments_by_identifier')
      .on(t.agentId, t.payer, t.identifierHash)
      .where(sql`${t.identifierHash} is not null and ${t.status} in ('pending', 'settled')`),
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
 * The number of payments of a wallet since it was last barred everywhere, and the end of the present bar.
 * Exists from the wallet's first outcome on.
 */
export const requestPayers = pgTable('request_payers', {
  payer: text().$type<Wallet>().primaryKey(),
  settled: integer().notNull(),
  blockedUntil: instant('barred_until'),
})

/** Payments that their payer made fail on the chain: the last three at each agent, newest first. */
export const payerFailures = pgTable(
  'payer_failures',
  {
    payer: text().$type<Wallet>().notNull(),
    agentId: uuid('agent_id').notNull(),
    failedAt: instant('failed_at').array().notNull(),
    /** Until when the agent accepts no payments from the wallet. */
    blockedUntil: instant('barred_until'),
  },
  (t) => [
    primaryKey({ columns: [t.payer, t.agentId] }),
    index('payer_failures_by_newest').on(sql`(${t.failedAt}[1])`),
  ],
)

/**
 * Why payments to an agent are refused, if its owner can change that: a row for each reason, at most nine.
 * Written at most once an hour each. Has nothing of payers.
 */
export const requestRefusals = pgTable(
  'request_refusals',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    reason: text({ enum: requestRefusalReasons }).notNull(),
    /** The first refusal since the last settled payment; null once a later payment has settled. */
    firstAt: instant('first_at'),
    /** The last recorded refusal. */
    lastAt: instant('last_at').notNull(),
    /** When its last event was published. */
    publishedAt: instant('published_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.reason] }),
    check(
      'request_refusals_reason',
      sql`${t.reason} in (${sql.raw(requestRefusalReasons.map((reason) => `'${reason}'`).join(', '))})`,
    ),
  ],
)

/**
 * Priced routes of agents that were paid for, or that their owner had probed: at most fifty for each agent.
 * Has nothing that a payer sent. `probes` writes what the route's own 402 answer says.
 */
export const requestResources = pgTable(
  'request_resources',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    /** The name of the price: `METHOD /path`. */
    priceName: text('price_name').notNull(),
    state: text({ enum: requestResourceStates }).notNull(),
    /**
     * What the last probe or a change found; null for nothing, or before the first probe. A listed route with
     * a finding is unlisted by the next one.
     */
    code: text({ enum: requestResourceCodes }),
    /** The URL that was last probed, and when. */
    url: text(),
    checkedAt: instant('checked_at'),
    /** What the 402 answer says of the route, as JSON of at most 8 KiB; null unless it is listed. */
    document: text(),
    /** The sum of the fees of its settled payments in CRED, as reputations weigh them. */
    fees: int64('fees').$type<Cred>().notNull().default(sql`0`),
    /** The last settled payment; null before the first. */
    paidAt: instant('paid_at'),
    /** When it is probed next, or the end of the lease of a probe; null: not due. */
    nextProbeAt: instant('next_probe_at'),
    lease: uuid(),
    /** The number of leases since the last recorded probe; it may have crashed some job runs. */
    begun: smallint().notNull().default(0),
    /** The number of uninterrupted failures. The second unlists it. */
    failures: smallint().notNull().default(0),
    /** Whether its owner keeps it out of the catalog. */
    isHidden: boolean('is_hidden').notNull().default(false),
    /** Since when it is listed with this document, or is not listed. Thirty days unlisted delete it. */
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.priceName] }),
    index('request_resources_due').on(t.nextProbeAt).where(sql`${t.nextProbeAt} is not null`),
    index('request_resources_listed').on(t.changedAt).where(sql`${t.state} = 'listed'`),
    index('request_resources_unlisted').on(t.changedAt).where(sql`${t.state} <> 'listed'`),
    check('request_resources_document', sql`octet_length(${t.document}) <= 8192`),
    check('request_resources_listed', sql`(${t.state} = 'listed') = (${t.document} is not null)`),
    check('request_resources_fees', sql`${t.fees} >= 0`),
  ],
)

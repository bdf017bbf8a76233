import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Cred } from '../amounts.ts'
import { intentStatuses, paymentFailures, paymentKinds } from '../values.ts'
import type { Address, Wallet } from '../wallet.ts'
import '../docs.ts'
import { instant, int64 } from './columns.ts'
import { hires } from './hires.ts'

/**
 * Where each hire's budget account is, from the first funding on that the relay has sent or that was found on
 * the chain. What it holds is there alone.
 */
export const budgetAccounts = pgTable(
  'budget_accounts',
  {
    hireId: uuid('hire_id')
      .primaryKey()
      .references(() => hires.id),
    hirer: text().$type<Wallet>().notNull(),
    /** The agent's owner, whose collector is its delegate. */
    owner: text().$type<Wallet>().notNull(),
    agentId: uuid('agent_id').notNull(),
    /** createWithSeed(hirer, seed), of the hire's seed by its `budget_number`. */
    address: text().$type<Address>().notNull().unique(),
    seed: text().notNull(),
    /** The oldest key generation whose collector it may still approve; null once it approves none. */
    generation: smallint(),
    /** When a collection last looked at it: collections take those first that have waited longest. */
    lookedAt: instant('looked_at').notNull(),
    /** When a collection from it and others failed on the chain: it is collected alone then. */
    failedAt: instant('failed_at'),
    /**
     * Since when nothing is collected from it, after a restore: something was, and which charges that paid is
     * lost. Until an operator releases it.
     */
    heldAt: instant('held_at'),
  },
  WORDS
    ? (t) => [
        index('budget_accounts_by_hirer').on(t.hirer, t.hireId),
        index('budget_accounts_by_owner').on(t.owner, t.hireId),
        index('budget_accounts_held').on(t.heldAt).where(sql`${t.heldAt} is not null`),
      ]
    : undefined,
)

/** Transactions that were built. A wallet signs each first; what became of it is read from the chain. */
export const paymentIntents = pgTable(
  'payment_intents',
  {
    id: uuid().primaryKey(),
    /** Who signs it, and pays the network. */
    wallet: text().$type<Wallet>().notNull(),
    kind: text({ enum: paymentKinds }).notNull(),
    status: text({ enum: intentStatuses }).notNull(),
    /** The key generation of the collector. */
    generation: smallint().notNull(),
    /** The hire of a budget account that it funds or withdraws; null of the others. */
    hireId: uuid('hire_id').references(() => hires.id),
    /** Of a collection: the protocol fee that it was built with. */
    feeBps: smallint('fee_bps'),
    /** Of a purchase of credit: how much, and when it was added; a purchase that has landed was added. */
    credit: int64('credit').$type<Cred>(),
    creditedAt: instant('credited_at'),
    /** As it was built, Base64, without signatures. */
    transaction: text().notNull(),
    message: text().notNull(),
    /** Past this block height the network refuses it; set anew where `cosignedMessage` is. */
    lastValidBlockHeight: int64('last_valid_block_height').notNull(),
    /** The slot of the accounts that it was built from. */
    builtSlot: int64('built_slot').notNull(),
    createdAt: instant('created_at').notNull(),
    /**
     * The one message that is sent, Base64, and its wallet's signature of it, which is the transaction's id
     * on the network, Base58. Recorded together, once, before the authority signs.
     */
    cosignedMessage: text('cosigned_message'),
    networkSignature: text('network_signature'),
    cosignedAt: instant('cosigned_at'),
    /**
     * When the chain was last asked about it: until SETTLE_LEASE_MS later nobody else asks. Later than now
     * after a search that proved nothing: nobody asks before.
     */
    askedAt: instant('asked_at').notNull(),
    /** When the rounds ask about it next, while it is open; null before it is signed. */
    dueAt: instant('due_at'),
    /** Of a collection whose search was cut short: where it goes on. */
    searchedTo: text('searched_to'),
    resolvedAt: instant('resolved_at'),
    /** Why it has failed. */
    reason: text({ enum: paymentFailures }),
  },
  WORDS
    ? (t) => [
        // Of what is not signed yet there is at most one: of a hire's budget account, of a collector, of
        // collections, of purchases of credit.
        uniqueIndex('payment_intents_one_unsigned_collector')
          .on(t.wallet, t.generation)
          .where(sql`${t.status} = 'open' and ${t.cosignedAt} is null and ${t.kind} = 'open_collector'`),
        uniqueIndex('payment_intents_one_unsigned_collection')
          .on(t.wallet)
          .where(sql`${t.status} = 'open' and ${t.cosignedAt} is null and ${t.kind} = 'collect'`),
        uniqueIndex('payment_intents_one_unsigned_purchase')
          .on(t.wallet)
          .where(sql`${t.status} = 'open' and ${t.cosignedAt} is null and ${t.kind} = 'buy_credit'`),
        uniqueIndex('payment_intents_one_unsigned_of_hire')
          .on(t.hireId)
          .where(sql`${t.status} = 'open' and ${t.cosignedAt} is null and ${t.hireId} is not null`),
        // Whose payouts are set up: any visitor of an agent's page asks.
        index('payment_intents_collectors')
          .on(t.wallet)
          .where(sql`${t.kind} = 'open_collector' and ${t.status} = 'landed'`),
        index('payment_intents_due').on(t.dueAt).where(sql`${t.status} = 'open' and ${t.dueAt} is not null`),
        // The fundings of a hire that may have landed, by when they could.
        index('payment_intents_fundings')
          .on(t.hireId, t.lastValidBlockHeight)
          .where(sql`${t.kind} = 'fund_budget' and ${t.cosignedAt} is not null`),
        index('payment_intents_by_time').on(t.createdAt).where(sql`${t.status} <> 'landed'`),
        check(
          'payment_intents_cosigned',
          sql`num_nulls(${t.cosignedMessage}, ${t.networkSignature}, ${t.cosignedAt}) in (0, 3)`,
        ),
        check('payment_intents_fee', sql`(${t.kind} = 'collect') = (${t.feeBps} is not null)`),
        check('payment_intents_credit', sql`(${t.kind} = 'buy_credit') = (${t.credit} is not null)`),
        // Workers of the release before know no purchases: they can't record a landing without its credit.
        check(
          'payment_intents_credited',
          sql`(${t.kind} = 'buy_credit' and ${t.status} = 'landed') = (${t.creditedAt} is not null)`,
        ),
      ]
    : undefined,
)

/** The budget accounts that a transaction fills, pays from or empties. */
export const paymentIntentLegs = pgTable(
  'payment_intent_legs',
  {
    intentId: uuid('intent_id').notNull(),
    hireId: uuid('hire_id').notNull(),
    address: text().$type<Address>().notNull(),
    /** Of a funding: what the address is made of, for the account's row. */
    seed: text(),
    amount: int64('amount').$type<Cred>().notNull(),
    /** Of a funding: what could be collected from the account when it was built. */
    payableBefore: int64('payable_before').$type<Cred>(),
    /** Of a collection: the part of the amount that goes to the treasury. */
    fee: int64('fee').$type<Cred>().notNull(),
  },
  WORDS
    ? (t) => [
        primaryKey({ columns: [t.intentId, t.hireId] }),
        foreignKey({ columns: [t.intentId], foreignColumns: [paymentIntents.id] }).onDelete('cascade'),
        check('payment_intent_legs_amounts', sql`${t.amount} >= 0 and ${t.fee} between 0 and ${t.amount}`),
      ]
    : undefined,
)

/** The payments authority's address of each key generation, as it was last deployed: it never changes. */
export const paymentGenerations = pgTable('payment_generations', {
  generation: smallint().primaryKey(),
  authority: text().$type<Address>().notNull(),
})

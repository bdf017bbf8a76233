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
import { intentStatuses, jobPaymentKinds, paymentFailures, paymentKinds } from '../values.ts'
import type { Address, Wallet } from '../wallet.ts'
import { instant, int64 } from './columns.ts'
import { hires } from './hires.ts'

const ofJobs = sql.raw(jobPaymentKinds.map((kind) => `'${kind}'`).join(', '))

/**
 * The budget account of each hire, from the first funding on that the relay has sent or that was found on
 * the chain. Its balance is only on the chain.
 */
export const budgetAccounts = pgTable(
  'budget_accounts',
  {
    hireId: uuid('hire_id')
      .primaryKey()
      .references(() => hires.id),
    hirer: text().$type<Wallet>().notNull(),
    /** The agent's owner. The owner's payout account is the account's delegate. */
    owner: text().$type<Wallet>().notNull(),
    agentId: uuid('agent_id').notNull(),
    /** createWithSeed(hirer, seed). The seed is made of the hire and its `budget_number`. */
    address: text().$type<Address>().notNull().unique(),
    seed: text().notNull(),
    /** The oldest key version whose payout account it may still approve; null once it approves none. */
    keyVersion: smallint('generation'),
    /** When a collection last checked it. Collections take the accounts first that have waited longest. */
    lookedAt: instant('looked_at').notNull(),
    /** When a collection from it and others failed on the chain. It is collected alone then. */
    failedAt: instant('failed_at'),
    /**
     * Since when nothing is collected from it after a restore, until an operator releases it. An earlier
     * collection is on the chain, but the list of charges that it paid is lost.
     */
    heldAt: instant('held_at'),
  },
  (t) => [
    index('budget_accounts_by_hirer').on(t.hirer, t.hireId),
    index('budget_accounts_by_owner').on(t.owner, t.hireId),
    index('budget_accounts_held').on(t.heldAt).where(sql`${t.heldAt} is not null`),
  ],
)

/** Transactions that were built. A wallet signs each first; the outcome is read from the chain. */
export const paymentIntents = pgTable(
  'payment_intents',
  {
    id: uuid().primaryKey(),
    /** The wallet that signs it and pays the network. */
    wallet: text().$type<Wallet>().notNull(),
    kind: text({ enum: paymentKinds }).notNull(),
    status: text({ enum: intentStatuses }).notNull(),
    /** The payout account's key version. */
    keyVersion: smallint('generation').notNull(),
    /** The hire whose budget account it funds or withdraws; null for the other kinds. */
    hireId: uuid('hire_id').references(() => hires.id),
    /** Of a collection: the protocol fee when it was built. */
    feeBps: smallint('fee_bps'),
    /** Of a purchase of credit: the amount, and when it was added. A confirmed purchase has been added. */
    credit: int64('credit').$type<Cred>(),
    creditedAt: instant('credited_at'),
    /** The transaction as built, Base64, without signatures. */
    transaction: text().notNull(),
    message: text().notNull(),
    /** The network rejects it above this block height. Set again with `cosignedMessage`. */
    lastValidBlockHeight: int64('last_valid_block_height').notNull(),
    /** The slot of the accounts that the transaction was built from. */
    builtSlot: int64('built_slot').notNull(),
    createdAt: instant('created_at').notNull(),
    /**
     * The only message that is sent, Base64, and the wallet's signature of it, Base58. The signature is the
     * transaction's id on the network. Recorded together, once, before the authority signs.
     */
    cosignedMessage: text('cosigned_message'),
    networkSignature: text('network_signature'),
    cosignedAt: instant('cosigned_at'),
    /**
     * When the chain was last asked about it. Nobody else asks until SETTLE_LEASE_MS later. After a search
     * that proved nothing this is in the future, and nobody asks before.
     */
    askedAt: instant('asked_at').notNull(),
    /** When a job asks about it next, while it is open; null before it is signed. */
    dueAt: instant('due_at'),
    /** Of a collection whose search was cut short: where the search continues. */
    searchedTo: text('searched_to'),
    resolvedAt: instant('resolved_at'),
    /** Why it failed. */
    reason: text({ enum: paymentFailures }),
    /** Of a transaction of jobs that the authority signs: when its outcome was recorded for the jobs, too. */
    jobsSettledAt: instant('jobs_settled_at'),
  },
  (t) => [
    // At most one unsigned transaction each: of a hire's budget account, of a payout account, of
    // collections, of purchases of credit.
    uniqueIndex('payment_intents_one_unsigned_collector')
      .on(t.wallet, t.keyVersion)
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
    // At most one of these kinds of a wallet. record_job_intent keeps to one unsigned for each job.
    uniqueIndex('payment_intents_one_unsigned_of_jobs')
      .on(t.wallet, t.kind)
      .where(
        sql`${t.status} = 'open' and ${t.cosignedAt} is null and ${t.kind} in ('open_refund', 'collect_jobs', 'close_escrows')`,
      ),
    // For owners with payouts set up: any visitor of an agent's page asks.
    index('payment_intents_collectors')
      .on(t.wallet)
      .where(sql`${t.kind} = 'open_collector' and ${t.status} = 'landed'`),
    index('payment_intents_due').on(t.dueAt).where(sql`${t.status} = 'open' and ${t.dueAt} is not null`),
    // The fundings of a hire that may have been confirmed, by their last possible block.
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
    // Workers of the former release know no purchases. They can't confirm one without adding its credit.
    check(
      'payment_intents_credited',
      sql`(${t.kind} = 'buy_credit' and ${t.status} = 'landed') = (${t.creditedAt} is not null)`,
    ),
    // Workers of the former release know no jobs. They can't end a signed transaction of jobs.
    check(
      'payment_intents_jobs_settled',
      sql`(${t.kind} in (${ofJobs}) and ${t.status} <> 'open' and ${t.cosignedAt} is not null) = (${t.jobsSettledAt} is not null)`,
    ),
  ],
)

/** The budget accounts that a transaction funds, collects from or empties. */
export const paymentIntentLegs = pgTable(
  'payment_intent_legs',
  {
    intentId: uuid('intent_id').notNull(),
    hireId: uuid('hire_id').notNull(),
    address: text().$type<Address>().notNull(),
    /** Of a funding: the seed of the address, for the account's row. */
    seed: text(),
    amount: int64('amount').$type<Cred>().notNull(),
    /** Of a funding: the amount that could be collected from the account when it was built. */
    payableBefore: int64('payable_before').$type<Cred>(),
    /** Of a collection: the part of the amount that goes to the treasury. */
    fee: int64('fee').$type<Cred>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.intentId, t.hireId] }),
    foreignKey({ columns: [t.intentId], foreignColumns: [paymentIntents.id] }).onDelete('cascade'),
    check('payment_intent_legs_amounts', sql`${t.amount} >= 0 and ${t.fee} between 0 and ${t.amount}`),
  ],
)

/** The payments authority's address of each key version, as last deployed. It never changes. */
export const paymentKeyVersions = pgTable('payment_generations', {
  keyVersion: smallint('generation').primaryKey(),
  authority: text().$type<Address>().notNull(),
  /** Since when nothing is funded under it: its key has leaked, or an escrow under it holds too little. */
  leakedAt: instant('leaked_at'),
  takenAt: instant('taken_at'),
  /** When an operator announced the end of jobs under it. Nothing is funded under it since. */
  endedAt: instant('ended_at'),
})

import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Cred } from '../amounts.ts'
import {
  intentFailures,
  intentKinds,
  intentStatuses,
  positionStatuses,
  prematurePayouts,
  signings,
} from '../values.ts'
import type { Address, Wallet } from '../wallet.ts'
import { instant, int64 } from './columns.ts'

/**
 * One row per owner, from the first stack on that the authority has signed, or the first opening of a vault
 * that the relay has sent. The chain is the truth; this is its index and its lock.
 */
export const vaults = pgTable(
  'vaults',
  {
    owner: text().$type<Wallet>().primaryKey(),
    /** Position ids are given out from 0 and never again. */
    nextPositionId: integer('next_position_id').notNull().default(0),
    /** Signed stacks with unknown outcomes, at most MAX_OPEN_STACKS. A caller can make us watch so many. */
    openStacks: smallint('open_stacks').notNull().default(0),
    /** Positions of status open, counted by a trigger; with the open stacks at most MAX_OPEN_POSITIONS. */
    openPositions: integer('open_positions').notNull().default(0),
    /** When the lease was last taken. Nobody else asks the chain for this owner for SETTLE_LEASE_MS. */
    settledAt: instant('settled_at').notNull(),
    /** The UTC day that the next two count for: yield of stacks signed on it. Another day's count as 0. */
    yieldDay: date('yield_day'),
    /** Yield that the treasury has paid, and yield of wallet_first stacks that were cosigned and may land. */
    yieldLanded: int64('yield_landed').$type<Cred>().notNull().default(sql`0`),
    /** Yield of service_first stacks that may still land. */
    yieldReserved: int64('yield_reserved').$type<Cred>().notNull().default(sql`0`),
  },
  (t) => [
    check('vaults_open_stacks', sql`${t.openStacks} >= 0`),
    check('vaults_open_positions', sql`${t.openPositions} >= 0`),
  ],
)

/** Stakes, each in a token account of its own. The terms never change. */
export const positions = pgTable(
  'positions',
  {
    owner: text()
      .$type<Wallet>()
      .notNull()
      .references(() => vaults.owner),
    id: integer().notNull(),
    address: text().$type<Address>().notNull().unique(),
    /** The key version. The column has the first release's name for it. */
    keyVersion: smallint('generation').notNull(),
    principal: int64('principal').$type<Cred>().notNull(),
    lockDays: smallint('lock_days').notNull(),
    apyBps: smallint('apy_bps').notNull(),
    stakedAt: instant('staked_at').notNull(),
    status: text({ enum: positionStatuses }).notNull().default('open'),
    /** The account's balance when the chain was last asked. */
    escrowed: int64('escrowed').$type<Cred>().notNull(),
    /** The slot of that answer. An answer of a node at an earlier slot is out of date. */
    seenSlot: int64('seen_slot').notNull(),
    /** Yield that claims have paid out, as settled. It only grows, so a reader can use it as a version. */
    claimed: int64('claimed').$type<Cred>().notNull().default(sql`0`),
    /** The one claim that may be open. */
    openClaim: uuid('open_claim'),
    withdrawnAt: instant('withdrawn_at'),
    /** When a job last checked it. Jobs take the positions first that have waited longest. */
    seenAt: instant('seen_at').notNull().default(sql`'epoch'`),
    /** Whether more than the accrued yield was paid out of it; null if not. */
    early: text({ enum: prematurePayouts }),
    /** The slot at which that was seen, until a finalized read at that slot or later has decided it. */
    suspectedSlot: int64('suspected_slot'),
    /** Whether a donation has made a withdrawal fail. Then the next one leaves the account open. */
    leaveOpen: boolean('leave_open').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.owner, t.id] }),
    index('positions_unseen').on(t.seenAt).where(sql`${t.status} = 'open'`),
    index('positions_new').on(t.stakedAt).where(sql`${t.status} = 'open'`),
    index('positions_early').on(t.suspectedSlot).where(sql`${t.early} = 'seen'`),
    check('positions_amounts', sql`${t.principal} > 0 and ${t.escrowed} >= 0 and ${t.claimed} >= 0`),
  ],
)

/** Transactions that were built. The outcome of each is read from the chain, once. */
export const vaultIntents = pgTable(
  'vault_intents',
  {
    id: uuid().primaryKey(),
    owner: text().$type<Wallet>().notNull(),
    kind: text({ enum: intentKinds }).notNull(),
    status: text({ enum: intentStatuses }).notNull().default('open'),
    keyVersion: smallint('generation').notNull(),
    /** Never changes. */
    signing: text({ enum: signings }).notNull().default('service_first'),
    /** The transaction as built, Base64. It lacks the owner's signature; if wallet_first, all signatures. */
    transaction: text().notNull(),
    message: text().notNull(),
    /** The network rejects it above this block height. Set again with `cosignedMessage`. */
    lastValidBlockHeight: int64('last_valid_block_height').notNull(),
    /**
     * If wallet_first: the only message that the authority signs, Base64, and the owner's signature of it,
     * Base58. The signature is the transaction's id on the network. Recorded together, once, before the
     * authority signs.
     */
    cosignedMessage: text('cosigned_message'),
    networkSignature: text('network_signature'),
    cosignedAt: instant('cosigned_at'),
    /**
     * The slot of the accounts that it was built from. Its outcome can be read only at that slot or later.
     */
    builtSlot: int64('built_slot').notNull(),
    createdAt: instant('created_at').notNull(),
    resolvedAt: instant('resolved_at'),
    /** Terms of a stack. */
    lockDays: smallint('lock_days'),
    apyBps: smallint('apy_bps'),
    stakedAt: instant('staked_at'),
    /**
     * Of a stack: the yield that it takes from the treasury, and the UTC day whose limits it counts against.
     * That is the day on which the authority signs; null before.
     */
    yield: int64('yield').$type<Cred>(),
    yieldDay: date('yield_day'),
    /** Why it failed. */
    reason: text({ enum: intentFailures }),
    /**
     * Of a stack whose search was cut short: where the search continues, and when. Of an unsigned opening of
     * a vault: when the chain was last asked.
     */
    searchedTo: text('searched_to'),
    searchAfter: instant('search_after'),
    /** Of an expired stack: when a job last searched for its position again. */
    lookedAt: instant('looked_at'),
    /**
     * When a job asks the chain about it next. Set for signed open intents, and for stacks that expired less
     * than a day ago. Null for other intents that have not ended.
     */
    dueAt: instant('due_at'),
  },
  (t) => [
    index('vault_intents_open').on(t.owner).where(sql`${t.status} = 'open'`),
    index('vault_intents_by_time').on(t.createdAt).where(sql`${t.status} <> 'landed'`),
    index('vault_intents_unsigned')
      .on(t.createdAt)
      .where(sql`${t.signing} = 'wallet_first' and ${t.cosignedAt} is null`),
    // An unsigned transaction blocks nothing: an owner has at most one.
    uniqueIndex('vault_intents_one_unsigned_stack')
      .on(t.owner)
      .where(
        sql`${t.status} = 'open' and ${t.signing} = 'wallet_first' and ${t.cosignedAt} is null and ${t.kind} in ('stack', 'open_vault')`,
      ),
    // Stacks that may still be confirmed count against the limits, the highest yield first.
    index('vault_intents_reservations')
      .on(t.yield.desc())
      .where(
        sql`${t.status} = 'open' and ${t.kind} = 'stack' and ${t.yield} > 0 and (${t.signing} = 'service_first' or ${t.cosignedAt} is not null)`,
      ),
    // For the next run of the job.
    index('vault_intents_due').on(t.dueAt).where(sql`${t.status} = 'open' and ${t.dueAt} is not null`),
    index('vault_intents_due_again')
      .on(t.dueAt)
      .where(sql`${t.status} = 'expired' and ${t.dueAt} is not null`),
    // Second checks of signed stacks that expired: first stacks never checked again, by the yield at stake.
    index('vault_intents_second_looks')
      .on(sql`(${t.lookedAt} is not null)`, t.yield.desc().nullsLast())
      .where(sql`${t.status} = 'expired' and ${t.dueAt} is not null`),
    check(
      'vault_intents_cosigned',
      sql`num_nulls(${t.cosignedMessage}, ${t.networkSignature}, ${t.cosignedAt}) in (0, 3)`,
    ),
  ],
)

/**
 * The effect of an intent on each position account: a stack fills it, a claim pays from it, an unstack
 * empties it.
 */
export const vaultIntentLegs = pgTable(
  'vault_intent_legs',
  {
    intentId: uuid('intent_id').notNull(),
    address: text().$type<Address>().notNull(),
    amount: int64('amount').$type<Cred>().notNull(),
    /** The account's balance when the intent was built. */
    balanceBefore: int64('balance_before').$type<Cred>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.intentId, t.address] }),
    foreignKey({ columns: [t.intentId], foreignColumns: [vaultIntents.id] }).onDelete('cascade'),
    uniqueIndex('vault_intent_legs_by_address').on(t.address, t.intentId),
  ],
)

/**
 * Yield of all wallets' stacks by the UTC day on which they were signed, as in `vaults`. The row is the
 * day's lock.
 */
export const vaultYieldDays = pgTable('vault_yield_days', {
  day: date().primaryKey(),
  landed: int64('landed').$type<Cred>().notNull().default(sql`0`),
  reserved: int64('reserved').$type<Cred>().notNull().default(sql`0`),
  /**
   * When reservations of all wallets were last settled because the day's limit had no room. Nobody else
   * settles them until SETTLE_LEASE_MS later.
   */
  settledAt: instant('settled_at').notNull().default(sql`'epoch'`),
  /** When the authority last signed a stack. New positions last seen before that are checked again. */
  stackedAt: instant('stacked_at').notNull().default(sql`'epoch'`),
})

/** The settings of a key version by operators, deployments and the circuit breaker. No row: no settings. */
export const vaultKeyVersions = pgTable('vault_generations', {
  keyVersion: smallint('generation').primaryKey(),
  /** The addresses that settlement and vault were last deployed with. The keys of a version never change. */
  authority: text().$type<Address>(),
  recovery: text().$type<Address>(),
  /** No stacks are built while it is set. */
  pausedAt: instant('paused_at'),
  pauseReason: text('pause_reason'),
  /** When an operator announced that the recovery key is public. Early payouts no longer pause it. */
  publishedAt: instant('published_at'),
})

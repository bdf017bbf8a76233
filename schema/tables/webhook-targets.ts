import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { unconfirmedReasons } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

/**
 * The state of webhook destinations: one row for each wallet and exact URL, from the first attempt on. All
 * webhook endpoints of the wallet with that URL share it.
 */
export const webhookTargets = pgTable(
  'webhook_targets',
  {
    wallet: text().$type<Wallet>().notNull(),
    /** SHA-256 in hexadecimal, since a URL may be longer than an index entry. */
    urlHash: text('url_hash').notNull(),
    /** The URL's host and port. Attempts are counted by them. */
    host: text().notNull(),
    /**
     * The challenge by which its receiver proves that it wants this wallet's events: 32 random bytes in
     * Base64url, made with the first request for a proof. No answer of the API contains it.
     */
    challenge: text(),
    /**
     * When it answered a request for a proof with 2xx, but without the proof. Then it is unconfirmed. Null
     * again when its owner sets the URL again, so that it is asked once more.
     */
    answeredAt: instant('answered_at'),
    /** Why that answer is not a proof. */
    unconfirmedReason: text('unconfirmed_reason', { enum: unconfirmedReasons }),
    /** When its receiver consented. Until then it may be a stranger's, so it receives few webhooks. */
    provenAt: instant('proven_at'),
    /** Whether the last webhooks were all answered 2xx, and quickly. */
    isHealthy: boolean('is_healthy').notNull().default(false),
    /** When it first failed after its last 2xx; null if it has not failed since. */
    failingSince: instant('failing_since'),
    /** Paused until then: after an attempt, or while reserved tokens wait for their time. */
    heldUntil: instant('held_until'),
    /**
     * Whether the next attempt wakes the database. Otherwise it is made when something else wakes the
     * database, at the latest at the next scheduled run.
     */
    isAwaited: boolean('is_awaited').notNull().default(false),
    /** The number of tokens reserved for its next attempts, which may begin at `held_until`. */
    reserved: integer().notNull().default(0),
    /** The next four columns are used only by release 1.0.0. The next contraction drops them. */
    line: text(),
    waitingSince: instant('waiting_since'),
    day: instant('day'),
    dayAttempts: integer('day_attempts').notNull().default(0),
    /** When the last attempt with a result was leased; before the first attempt, when the row was made. */
    lastAttemptAt: instant('last_attempt_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.wallet, t.urlHash] }),
    index('webhook_targets_by_attempt').on(t.lastAttemptAt),
    index('webhook_targets_in_line').on(t.line, t.heldUntil).where(sql`${t.line} is not null`),
  ],
)

/**
 * Token buckets, which limit webhooks: `take_tokens` of schema/functions. A full bucket needs no row.
 * Names: `url <wallet> <hash>`; `proven <wallet> <host>`; `failing <host>`; `requests <host>`,
 * `unconfirmed <host>` and `trusted <host>`, which are `… paying <host>` for wallets that have paid or were
 * paid; and `strangers`.
 */
export const webhookBuckets = pgTable(
  'webhook_buckets',
  {
    name: text().primaryKey(),
    /** When the bucket is full again. Each token taken moves this later. */
    fullAt: instant('full_at').notNull(),
  },
  (t) => [index('webhook_buckets_by_time').on(t.fullAt)],
)

/**
 * The attempts that wake the database on the day that began at `since`: `awaited <wallet> <hash>` for one
 * destination, and `all awaited` and `all awaited paying` for those of unpaid and of paying wallets. Release
 * 1.0.0 has more rows here, one for each counter of its own.
 */
export const webhookHosts = pgTable(
  'webhook_hosts',
  {
    host: text().primaryKey(),
    since: instant('since').notNull(),
    attempts: integer().notNull(),
  },
  (t) => [index('webhook_hosts_by_time').on(t.since)],
)

import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { unconfirmedReasons } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

/**
 * What is known of the targets that webhooks were sent to, or are to be: of each wallet's exact URL one
 * row, from its first attempt on, whichever of the wallet's webhook endpoints has that URL.
 */
export const webhookTargets = pgTable(
  'webhook_targets',
  {
    wallet: text().$type<Wallet>().notNull(),
    /** SHA-256 in hexadecimal: a URL may be longer than an index entry. */
    urlHash: text('url_hash').notNull(),
    /** The URL's host and port, by which attempts are counted. */
    host: text().notNull(),
    /**
     * What its receiver proves by that it wants events of this wallet: 32 random bytes in Base64url, made
     * with the first request for a proof. No answer of the API has it.
     */
    challenge: text(),
    /**
     * When it answered a request for a proof with 2xx, but without the proof: it is unconfirmed. Null again
     * when its owner sets the URL anew, so that it is asked once more.
     */
    answeredAt: instant('answered_at'),
    /** What was wrong with that answer. */
    unconfirmedReason: text('unconfirmed_reason', { enum: unconfirmedReasons }),
    /** When its receiver consented. Until then it may be a stranger's, and is spared. */
    provenAt: instant('proven_at'),
    /** Whether all that was sent last was answered 2xx, and soon. */
    isHealthy: boolean('is_healthy').notNull().default(false),
    /** When it failed first after its last 2xx, if it has. */
    failingSince: instant('failing_since'),
    /** Until when it is sent nothing: the pause after an attempt, or the time of reserved tokens. */
    heldUntil: instant('held_until'),
    /**
     * Whether the database is woken for the next attempt. Otherwise it is made when something else wakes the
     * database, at the latest at the next tick.
     */
    isAwaited: boolean('is_awaited').notNull().default(false),
    /** How many tokens are reserved for its next attempts, which may begin at `held_until`. */
    reserved: integer().notNull().default(0),
    /** These four are used by release 1.0.0 alone, and go with the next contraction. */
    line: text(),
    waitingSince: instant('waiting_since'),
    day: instant('day'),
    dayAttempts: integer('day_attempts').notNull().default(0),
    /** When the last attempt with a result was leased; before the first, when this row was made. */
    lastAttemptAt: instant('last_attempt_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.wallet, t.urlHash] }),
    index('webhook_targets_by_attempt').on(t.lastAttemptAt),
    index('webhook_targets_in_line').on(t.line, t.heldUntil).where(sql`${t.line} is not null`),
  ],
)

/**
 * Token buckets, which limit what is sent: `take_tokens` of schema/functions. A bucket that is full again
 * needs no row. Names: `url <wallet> <hash>`; `proven <wallet> <host>`; `failing <host>`; `requests <host>`,
 * `unconfirmed <host>` and `trusted <host>`, which are `… paying <host>` for wallets that have paid or were
 * paid; and `strangers`.
 */
export const webhookBuckets = pgTable(
  'webhook_buckets',
  {
    name: text().primaryKey(),
    /** When it is full again. Each token that is taken puts this off. */
    fullAt: instant('full_at').notNull(),
  },
  (t) => [index('webhook_buckets_by_time').on(t.fullAt)],
)

/**
 * How many attempts wake the database on the day that began at `since`: `awaited <wallet> <hash>`, of one
 * destination, and `all awaited`. Release 1.0.0 also has a row for each other counter of its own.
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

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
    /** Until when it is sent nothing: the pause after an attempt, or the time of its turn in line. */
    heldUntil: instant('held_until'),
    /**
     * Whether the database is woken for what it is sent next. Otherwise that is sent with whatever else wakes
     * it, at the latest at the next tick.
     */
    isAwaited: boolean('is_awaited').notNull().default(false),
    /** The line that it waits in, since all places of a host's minute or hour were taken. */
    line: text(),
    /** Since when it has waited for the attempt that is next. */
    waitingSince: instant('waiting_since'),
    /** The last day on which it was sent events while it was unconfirmed, and how many on that day. */
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
 * How many attempts a host and port were sent in the minute that began at `since`: attempts under way to
 * targets that are not healthy, and attempts that came back without 2xx. Other counters have a space in their
 * name: `all hosts` (new targets at all hosts, by minute), `all unconfirmed` (unconfirmed ones, by minute),
 * `unconfirmed <host>`, `unconfirmed paying <host>` and `trusted <host>` (by hour), `<wallet> <host>` (proven
 * targets, by minute), `<line> of <wallet>` (places that a wallet's targets got while others stood in that
 * line); and by day the attempts that the database is woken for, of a target and of all: `awaited <wallet>
 * <hash>`, `all awaited`.
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

import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

/**
 * What is known of the targets that webhooks were sent to: of each wallet's exact URL one row, from its first
 * attempt on, whichever of the wallet's webhook endpoints has that URL.
 */
export const webhookTargets = pgTable(
  'webhook_targets',
  {
    wallet: text().$type<Wallet>().notNull(),
    /** SHA-256 in hexadecimal: a URL may be longer than an index entry. */
    urlHash: text('url_hash').notNull(),
    /** When it first answered 2xx. Until then it may be a stranger's, and is spared. */
    provenAt: instant('proven_at'),
    /** Whether all that was sent last was answered 2xx, and soon. */
    isHealthy: boolean('is_healthy').notNull().default(false),
    /** When it failed first after its last 2xx, if it has. */
    failingSince: instant('failing_since'),
    /** Until when it is sent nothing, since it has not answered 2xx yet, or not lately. */
    heldUntil: instant('held_until'),
    /** When the last attempt with a result was leased; before the first, when this row was made. */
    lastAttemptAt: instant('last_attempt_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.wallet, t.urlHash] }),
    index('webhook_targets_by_attempt').on(t.lastAttemptAt),
  ],
)

/**
 * How many attempts a host and port were sent in the minute that began at `minute`: attempts under way to
 * targets that are not healthy, and attempts that came back without 2xx. The row `all hosts` counts attempts
 * at targets never proven at all hosts.
 */
export const webhookHosts = pgTable(
  'webhook_hosts',
  {
    host: text().primaryKey(),
    minute: instant('minute').notNull(),
    attempts: integer().notNull(),
  },
  (t) => [index('webhook_hosts_by_minute').on(t.minute)],
)

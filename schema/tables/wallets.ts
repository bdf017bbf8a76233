import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { Wallet } from '../wallet.ts'
import '../words.ts'
import { instant } from './columns.ts'

/** Every wallet that has logged in, from its first login on. */
export const wallets = pgTable('wallets', {
  address: text().$type<Wallet>().primaryKey(),
  firstLoginAt: instant('first_login_at').notNull(),
  lastLoginAt: instant('last_login_at').notNull(),
  /** Raised by a revocation: a session token of another generation is refused. */
  sessionGeneration: integer('session_generation').notNull().default(0),
  /** Until when a socket of the wallet may listen: events of its log nudge the wallet until then. */
  listensUntil: instant('listens_until'),
})

/**
 * Login nonces that were used: the primary key is what makes a nonce single use. A row is needed only until
 * the challenge would have expired anyway; the jobs Worker deletes it then.
 */
export const spentNonces = pgTable(
  'spent_nonces',
  {
    nonce: text().primaryKey(),
    expiresAt: instant('expires_at').notNull(),
  },
  WORDS ? (t) => [index('spent_nonces_expires_at').on(t.expiresAt)] : undefined,
)

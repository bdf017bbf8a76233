import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

/** Wallets that have logged in at least once. */
export const wallets = pgTable('wallets', {
  address: text().$type<Wallet>().primaryKey(),
  firstLoginAt: instant('first_login_at').notNull(),
  lastLoginAt: instant('last_login_at').notNull(),
  /** The session epoch, which a revocation raises. A session token of another epoch is refused. */
  sessionGeneration: integer('session_generation').notNull().default(0),
  /** A socket of the wallet may listen until then; its events notify the live Worker until then. */
  listensUntil: instant('listens_until'),
})

/**
 * Used login nonces. The primary key makes a nonce single-use. A row is needed until the challenge expires;
 * then the jobs Worker deletes it.
 */
export const spentNonces = pgTable(
  'spent_nonces',
  {
    nonce: text().primaryKey(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('spent_nonces_expires_at').on(t.expiresAt)],
)

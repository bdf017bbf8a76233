import { index, pgTable, text } from 'drizzle-orm/pg-core'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

/** Every wallet that has logged in, from its first login on. */
export const wallets = pgTable('wallets', {
  address: text().$type<Wallet>().primaryKey(),
  firstLoginAt: instant('first_login_at').notNull(),
  lastLoginAt: instant('last_login_at'),
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
  (t) => [index('spent_nonces_expires_at').on(t.expiresAt)],
)

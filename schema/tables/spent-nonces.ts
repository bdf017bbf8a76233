import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * Login nonces that were used: the primary key is what makes a nonce single use. A row is needed only until the
 * challenge would have expired anyway; the jobs Worker deletes it then.
 */
export const spentNonces = pgTable(
  'spent_nonces',
  {
    nonce: text().primaryKey(),
    expiresAt: timestamp('expires_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [index('spent_nonces_expires_at').on(t.expiresAt)],
)

import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Every wallet that has logged in, from its first login on. */
export const wallets = pgTable('wallets', {
  address: text().primaryKey(),
  firstLoginAt: timestamp('first_login_at', { withTimezone: true, precision: 3 }).notNull(),
})

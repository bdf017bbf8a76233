import { pgTable, text } from 'drizzle-orm/pg-core'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

/** Every wallet that has logged in, from its first login on. */
export const wallets = pgTable('wallets', {
  address: text().$type<Wallet>().primaryKey(),
  firstLoginAt: instant('first_login_at').notNull(),
})

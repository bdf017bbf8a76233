import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/**
 * New keys of the signed registry by client address, within the hour that began at `hour`. Of the address
 * there is a hash only, and the jobs Worker deletes a row two hours after its hour began.
 */
export const addressQuotas = pgTable(
  'address_quotas',
  {
    addressHash: text('address_hash').primaryKey(),
    hour: instant('hour').notNull(),
    keys: integer().notNull(),
  },
  (t) => [index('address_quotas_by_hour').on(t.hour)],
)

import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Wallet } from '../wallet.ts'
import { agents } from './agents.ts'

/** Wallets other than its owner whose hire of an agent ran its first term: each counts once for its score. */
export const agentHirers = pgTable(
  'agent_hirers',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    wallet: text().$type<Wallet>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.wallet] })],
)

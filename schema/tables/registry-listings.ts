import { pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { type Capability, registryAgentTypes } from '../registry.ts'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

/** Represents any layer, and any capability. */
export const ANY = { layer: 0, capability: '' } as const

/**
 * The rows that GET /registry/agents reads. An active entry has one for each pair of its layers and
 * capabilities, including {@link ANY}. So each combination of filters is one range of an index in the list's
 * order. A trigger on registry_agents writes them (migrations/0000_init.sql).
 */
export const registryListings = pgTable(
  'registry_listings',
  {
    layer: smallint().notNull(),
    capability: text().$type<Capability | typeof ANY.capability>().notNull(),
    agentType: text('agent_type', { enum: registryAgentTypes }).notNull(),
    registeredAt: instant('registered_at').notNull(),
    pubkey: text().$type<Wallet>().notNull(),
  },
  (t) => [
    // Ascending on purpose: backwards it has the list's order of each type, newest first.
    primaryKey({
      name: 'registry_listings_by_type',
      columns: [t.layer, t.capability, t.agentType, t.registeredAt, t.pubkey],
    }),
  ],
)

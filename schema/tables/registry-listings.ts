import { pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { type Capability, registryAgentTypes } from '../registry.ts'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

/** Stands for no certain layer, and no certain capability. */
export const ANY = { layer: 0, capability: '' } as const

/**
 * What GET /registry/agents is read from: each active entry once for each pair of a layer and a capability
 * that it has, with {@link ANY} among both, so that each combination of filters is one range of an index in
 * the list's order. A trigger on registry_agents keeps it (migrations/0000_init.sql).
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
    // Ascending on purpose: read backwards it is the list's order of each type, newest first.
    primaryKey({
      name: 'registry_listings_by_type',
      columns: [t.layer, t.capability, t.agentType, t.registeredAt, t.pubkey],
    }),
  ],
)

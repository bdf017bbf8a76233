import { bit, doublePrecision, index, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { agentStatuses, agentTypes, feeModels } from '../values.ts'

/** The layer under which every agent is listed, whichever it supports. */
export const EVERY_LAYER = 0

/**
 * What GET /agents is read from: each agent once under {@link EVERY_LAYER} and, while it is listed by word
 * and layer (agents.isListed), once under every layer that it supports. A trigger on agents keeps it
 * (migrations/0000_init.sql), in the transaction of the change.
 *
 * An index in the list's order for each filter can not hold layers, which are many to an agent; and a GIN
 * index of them has no order, so that a common layer sorts half the table.
 */
export const agentListings = pgTable(
  'agent_listings',
  {
    layer: smallint().notNull(),
    status: text({ enum: agentStatuses }).notNull(),
    agentType: text('agent_type', { enum: agentTypes }).notNull(),
    feeModel: text('fee_model', { enum: feeModels }).notNull(),
    reputationScore: doublePrecision('reputation_score').notNull(),
    agentId: uuid('agent_id').notNull(),
    /**
     * In lower case and normal form NFKC. Empty while the agent is not listed by word, so that no search
     * finds it by name.
     */
    name: text().notNull(),
    /**
     * A Bloom filter of the agent's text (documents.words): how its words begin. A search that walks the list
     * reads only the texts whose filter has every bit of the search's words.
     */
    wordBloom: bit('word_bloom', { dimensions: 256 }).notNull(),
  },
  (t) => [
    // All ascending on purpose: read backwards each is the list's order, reputationScore desc, agentId desc.
    primaryKey({
      name: 'agent_listings_by_kind',
      columns: [t.layer, t.status, t.agentType, t.feeModel, t.reputationScore, t.agentId],
    }),
    // What follows the order is read along.
    index('agent_listings_by_score').on(t.layer, t.status, t.reputationScore, t.agentId, t.name, t.wordBloom),
    // Newest first: ids begin with the time of registration.
    index('agent_listings_by_age').on(t.layer, t.status, t.agentId),
    index('agent_listings_by_name').on(t.layer, t.status, t.name.op('text_pattern_ops'), t.agentId),
  ],
)

import { sql } from 'drizzle-orm'
import {
  bit,
  boolean,
  doublePrecision,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { agentStatuses, agentTypes, feeModels } from '../values.ts'

/** The layer under which every agent is listed, in addition to its own layers. */
export const EVERY_LAYER = 0

/**
 * The rows that GET /agents reads. Each agent has one under {@link EVERY_LAYER}. While it is listed by word
 * and layer (agents.isListed), it also has one under every layer that it supports. A trigger on agents writes
 * them (migrations/0000_init.sql), in the transaction of the change.
 *
 * An ordered index for each filter can't include layers, since an agent has several. A GIN index of layers
 * has no order, so a list by a common layer would sort half the table.
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
     * A Bloom filter of the beginnings of the words in the agent's text (documents.words). A search in the
     * list's order only reads the texts whose filter has every bit of the search's words.
     */
    wordBloom: bit('word_bloom', { dimensions: 256 }).notNull(),
    /** Whether the agent has prices of requests. The amounts are not copied, since they may change often. */
    isPriced: boolean('is_priced').notNull().default(false),
  },
  (t) => [
    // All ascending on purpose: backwards each has the list's order, reputationScore desc, agentId desc.
    primaryKey({
      name: 'agent_listings_by_kind',
      columns: [t.layer, t.status, t.agentType, t.feeModel, t.reputationScore, t.agentId],
    }),
    // The columns after the order are for index-only scans.
    index('agent_listings_by_score').on(t.layer, t.status, t.reputationScore, t.agentId, t.name, t.wordBloom),
    // For lists of agents with prices of requests.
    index('agent_listings_priced')
      .on(t.layer, t.status, t.reputationScore, t.agentId)
      .where(sql`${t.isPriced}`),
    // Newest first: ids begin with the time of registration.
    index('agent_listings_by_age').on(t.layer, t.status, t.agentId),
    index('agent_listings_by_name').on(t.layer, t.status, t.name.op('text_pattern_ops'), t.agentId),
  ],
)

import { sql } from 'drizzle-orm'
import { customType, index, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { documentKinds } from '../values.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * The texts for search: name (weight A), type and capabilities (B), description (C). An agent that is not
 * listed by word (agents.isListed) has none. Triggers on agents and registry_agents write them
 * (migrations/0000_init.sql, 0004_folded_words.sql), in the transaction of a change. They are separate from
 * those tables, since many statements read whole rows there.
 */
export const documents = pgTable(
  'documents',
  {
    kind: text({ enum: documentKinds }).notNull(),
    key: text().notNull(),
    /** The words in canonical form (text_words), followed by the words from Postgres' parser. */
    words: tsvector().notNull(),
    /** Their English stems, without stop words. */
    stems: tsvector().notNull(),
    /** The version of the folding rules for its words; 0: from before these rules. */
    folding: smallint().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.key] }),
    // For the backfill only: empty after its end.
    index('documents_to_fold').on(t.kind, t.key).where(sql`${t.folding} = 0`),
  ],
)

/**
 * One row for each document and each of its first 200 words and stems. This is a btree instead of a GIN index
 * over the documents. It can be read up to a limit, and by the beginning of a word. A GIN index collects all
 * documents of a word before it returns the first.
 */
export const documentWords = pgTable(
  'document_words',
  {
    kind: text({ enum: documentKinds }).notNull(),
    word: text().notNull(),
    key: text().notNull(),
  },
  (t) => [uniqueIndex('document_words_by_word').on(t.kind, t.word.op('text_pattern_ops'), t.key)],
)

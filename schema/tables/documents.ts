import { customType, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { documentKinds } from '../values.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * The text of everything that can be found: name (weight A), type and capabilities (B), description (C).
 * An agent that is not listed by word (agents.isListed) has none.
 * Triggers on agents and registry_agents keep it (migrations/0000_init.sql), in the transaction of a change.
 * Apart from those tables, whose rows many statements read whole.
 */
export const documents = pgTable(
  'documents',
  {
    kind: text({ enum: documentKinds }).notNull(),
    key: text().notNull(),
    /** The words as they are, in lower case. */
    words: tsvector().notNull(),
    /** Their English stems, without words that say nothing. */
    stems: tsvector().notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.key] })],
)

/**
 * Each document once under each of its words and stems, the first hundred of them. A btree instead of a GIN
 * index over the documents: it can be read up to a limit, and from the beginning of a word on, whereas a GIN
 * index collects all documents of a word before the first is returned.
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

import { sql } from 'drizzle-orm'
import { customType, index, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { documentKinds } from '../values.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * The text of everything that can be found: name (weight A), type and capabilities (B), description (C).
 * An agent that is not listed by word (agents.isListed) has none.
 * Triggers on agents and registry_agents keep it (migrations/0000_init.sql, 0004_folded_words.sql), in the
 * transaction of a change.
 * Apart from those tables, whose rows many statements read whole.
 */
export const documents = pgTable(
  'documents',
  {
    kind: text({ enum: documentKinds }).notNull(),
    key: text().notNull(),
    /** The words in one form (text_words), and behind them as Postgres' parser finds them. */
    words: tsvector().notNull(),
    /** Their English stems, without words that say nothing. */
    stems: tsvector().notNull(),
    /** Which rules of folding its words were made by; 0: none, before there were any. */
    folding: smallint().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.key] }),
    // For the backfill alone: empty once it has ended.
    index('documents_to_fold').on(t.kind, t.key).where(sql`${t.folding} = 0`),
  ],
)

/**
 * Each document once under each of its words and stems, the first 200 of them. A btree instead of a GIN
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

import { type Column, type SQL, sql } from 'drizzle-orm'
import { documents, documentWords } from '../../../schema/tables/documents.ts'
import type { DocumentKind } from '../../../schema/values.ts'

/** Of a longer text the first words are looked up. */
const MOST_WORDS = 8

/**
 * The words of a text in their order, as rows of word, at and piece. Postgres splits it (text_words of
 * migrations/0004_folded_words.sql), so that no text is an error; a row of signs gives no row.
 */
export const wordsOf = (text: SQL): SQL =>
  sql`select word, at, piece from text_words(${text}) where piece is distinct from 'last'`

/**
 * The English stems of a text, as rows of `word`: of its first words, and of twice as many pairs of
 * characters of a script without spaces, whose words are two characters long.
 */
export const stemsOf = (text: SQL): SQL => sql`
  select word from (
    select word, at, sum(room) over (order by at, word) as room from (
      select (ts_lexize('english_stem', word))[1] as word, min(at) as at, min(case when piece is null then 2 else 1 end) as room
      from (${wordsOf(text)}) as asked group by 1) as stems where word is not null) as first
  where room <= ${sql.raw(String(2 * MOST_WORDS))} order by at`

/**
 * A query for documents that have all of the words in their order, or longer ones that begin so: pairs of
 * characters of one row one behind the other. Null without words.
 */
export const everyWord = (words: SQL): SQL => sql`(
  select string_agg(array_to_tsvector(array[word])::text || ':*', case piece when 'inner' then ' <-> ' else ' & ' end order by at)::tsquery
  from ${words})`

/** A query for documents that have any of the words. Null without words. */
export const anyWord = (words: SQL): SQL =>
  sql`(select string_agg(array_to_tsvector(array[word])::text, ' | ')::tsquery from ${words})`

/** The first documents of a kind that have a word (or, with `isPrefix`, a longer one), as rows of `key`. */
export const keysOf = (kind: SQL, word: SQL, { isPrefix, limit }: { isPrefix: boolean; limit: SQL }): SQL => {
  const { word: its } = documentWords
  // The last character of Unicode ends the range of words that begin so.
  const isIt = isPrefix
    ? sql`${its} ~>=~ ${word} and ${its} ~<~ (${word} || U&'\\+10FFFF')`
    : sql`${its} = ${word}`
  // By the index's order, so that nothing else looks cheaper.
  return sql`
    select ${documentWords.key} from ${documentWords} where ${documentWords.kind} = ${kind} and ${isIt}
    order by ${its} using ~<~ limit ${limit}`
}

/**
 * So many that have the rarest word of a text are all looked at. Where there are more, a list is walked
 * instead, so many steps a page: together at most 2,000 candidates.
 */
export const FEW = 1_000
export const STEPS = 2_000

/**
 * The parts of a search for documents that have all words of a text: CTEs, and the columns to read of them.
 * The keys are of the documents that have its rarest word, at most {@link FEW} and one.
 */
export const rarestWord = (kind: DocumentKind, text: SQL) => {
  const limit = sql.raw(String(FEW + 1))
  const found = keysOf(sql.raw(`'${kind}'`), sql`words.word`, { isPrefix: true, limit })
  return {
    // Of a row of pairs every second one is looked up, which has all of the characters.
    ctes: sql`
      said as materialized (${wordsOf(text)}),
      words as materialized (
        select word from said where piece is distinct from 'inner' or at % 2 = 0
        group by word order by min(at) limit ${sql.raw(String(MOST_WORDS))}),
      asked as materialized (
        select ${everyWord(sql`said`)} as query, word_bloom(array(select word from said)) as bloom),
      hits as materialized (select array(${found}) as keys from words),
      rarest as materialized (select keys from hits order by cardinality(keys) limit 1)`,
    count: sql`coalesce((select cardinality(keys) from rarest), 0)`,
    keys: sql`select unnest(keys) as key from rarest`,
    /** Of all the words; null without words. */
    query: sql`(select query from asked)`,
    /** Whether a text of which only a Bloom filter is read may have all of the words. */
    mayBeIn: (bloom: Column) => {
      const all = sql`(select bloom from asked)`
      return sql`(${bloom} & ${all} = ${all})`
    },
  }
}

/**
 * Whether a document has the words of a query. A value, since the planner may turn `exists` into a scan of
 * all documents.
 */
export const hasWords = (kind: DocumentKind, key: SQL, query: SQL): SQL => sql`coalesce((
  select ${documents.words} @@ ${query} from ${documents}
  where ${documents.kind} = ${sql.raw(`'${kind}'`)} and ${documents.key} = ${key}), false)`

/** Scores of 0 to 1 for a word in the description, the type and capabilities, the name (D is not used). */
const WEIGHTS = '{0, 0.5, 0.8, 1}'

/** What ts_rank gives a document that has every word of a query once, where it weighs most. */
const RANK_OF_ALL = 6 / Math.PI ** 2

/**
 * How well a document fits a query of any words, 0 to 100: the mean of what its words score, each word by the
 * weight of where it stands. A word that stands there more than once scores a little more.
 */
export const relevance = (query: SQL): SQL =>
  sql`least(100, round((100 / ${sql.raw(String(RANK_OF_ALL))} * ts_rank(${sql.raw(`'${WEIGHTS}'`)}, ${documents.stems}, ${query}))::numeric))::integer`

/** The table of texts, for a join: its columns by handle. */
export const texts = { from: documents, kind: documents.kind, key: documents.key, stems: documents.stems }

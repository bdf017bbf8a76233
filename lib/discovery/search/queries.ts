import { type SQL, sql } from 'drizzle-orm'
import { documents, documentWords } from '../../../schema/tables/documents.ts'
import type { DocumentKind } from '../../../schema/values.ts'
import { FOUND, MAX_WORDS, WEIGHTS } from './score.ts'

/**
 * Selects the words of a text in order: word, at and piece. The function text_words
 * (migrations/0004_folded_words.sql) splits it, so that no text is an error. Punctuation gives no row.
 */
export const wordsOf = (text: SQL): SQL =>
  sql`select word, at, piece from text_words(${text}) where piece is distinct from 'last'`

/**
 * Selects the English stems of a text's first words, as `word`. In scripts without spaces, whose words have
 * two characters, it selects twice as many pairs of characters.
 */
export const stemsOf = (text: SQL): SQL => sql`
  select word from (
    select word, at, sum(room) over (order by at, word) as room from (
      select (ts_lexize('english_stem', word))[1] as word, min(at) as at, min(case when piece is null then 2 else 1 end) as room
      from (${wordsOf(text)}) as asked group by 1) as stems where word is not null) as first
  where room <= ${sql.raw(String(2 * MAX_WORDS))} order by at`

/**
 * Makes a query for documents that have each word, or a longer word that begins with it. Pairs of characters
 * must follow each other. Null without words.
 */
export const everyWord = (words: SQL): SQL => sql`(
  select string_agg(array_to_tsvector(array[word])::text || ':*', case piece when 'inner' then ' <-> ' else ' & ' end order by at)::tsquery
  from ${words})`

/** Makes a query for documents that have any of the words, or all of them. Null without words. */
const ofWords = (operator: '|' | '&', words: SQL): SQL =>
  sql`(select string_agg(array_to_tsvector(array[word])::text, ${sql.raw(`' ${operator} '`)})::tsquery from ${words})`

/** Selects the keys of the first documents with a word (or, with `isPrefix`, with a longer one). */
const keysOf = (kind: SQL, word: SQL, { isPrefix, limit }: { isPrefix: boolean; limit: SQL }): SQL => {
  const { word: its } = documentWords
  // The last character of Unicode ends the range of the prefix.
  const isIt = isPrefix
    ? sql`${its} ~>=~ ${word} and ${its} ~<~ (${word} || U&'\\+10FFFF')`
    : sql`${its} = ${word}`
  // In the order of the index, so that the planner chooses it.
  return sql`
    select ${documentWords.key} from ${documentWords} where ${documentWords.kind} = ${kind} and ${isIt}
    order by ${its} using ~<~ limit ${limit}`
}

/**
 * The most documents with the rarest word of a text that are all read. With more, a list is walked instead,
 * in STEPS per page. Together these are at most 2,000 candidates.
 */
export const FEW = 1_000
export const STEPS = 2_000

/**
 * Makes the parts of a search for documents that have all words of a text: CTEs and columns. The keys are
 * of documents with its rarest word, at most {@link FEW} + 1.
 */
export const rarestWord = (kind: DocumentKind, text: SQL) => {
  const limit = sql.raw(String(FEW + 1))
  const found = keysOf(sql.raw(`'${kind}'`), sql`words.word`, { isPrefix: true, limit })
  return {
    // Every second pair is enough, because together they contain all characters.
    ctes: sql`
      said as materialized (${wordsOf(text)}),
      words as materialized (
        select word from said where piece is distinct from 'inner' or at % 2 = 0
        group by word order by min(at) limit ${sql.raw(String(MAX_WORDS))}),
      asked as materialized (
        select ${everyWord(sql`said`)} as query, word_bloom(array(select word from said)) as bloom),
      hits as materialized (select array(${found}) as keys from words),
      rarest as materialized (select keys from hits order by cardinality(keys) limit 1)`,
    count: sql`coalesce((select cardinality(keys) from rarest), 0)`,
    keys: sql`select unnest(keys) as key from rarest`,
    /** The query of all words; null without words. */
    query: sql`(select query from asked)`,
    /** The condition that a text may have all words, by its Bloom filter. */
    mayBeIn: (bloom: SQL) => {
      const all = sql`(select bloom from asked)`
      return sql`(${bloom} & ${all} = ${all})`
    },
  }
}

/**
 * The condition that a document has the words of a query. It is a subselect's value, because the planner may
 * turn `exists` into a scan of all documents.
 */
export const hasWords = (kind: DocumentKind, key: SQL, query: SQL): SQL => sql`coalesce((
  select ${documents.words} @@ ${query} from ${documents}
  where ${documents.kind} = ${sql.raw(`'${kind}'`)} and ${documents.key} = ${key}), false)`

/** The weights as ts_rank reads them: of (unused) D, the description, the terms and the name. */
const RANK_WEIGHTS = `{0, ${WEIGHTS.toReversed().join(', ')}}`

/** The ts_rank of a document that has every word of a query once, with the highest weight. */
const RANK_OF_ALL = 6 / Math.PI ** 2

/**
 * Computes the score of a document for a query of any words, 0 to 100: the mean weight of the words. A
 * repeated word scores a little more.
 */
const relevance = (query: SQL): SQL =>
  sql`least(100, round((100 / ${sql.raw(String(RANK_OF_ALL))} * ts_rank(${sql.raw(`'${RANK_WEIGHTS}'`)}, ${documents.stems}, ${query}))::numeric))::integer`

/**
 * Candidates of a need regardless of their text, for each kind. Unpaid wallets can make any word common, and
 * then it finds nothing by itself.
 */
export const FIRST = 500

/**
 * Makes the parts of a search by need over some kinds of documents: CTEs, keys and the score. At most
 * {@link FOUND} keys of each kind are read. A word in more than its share of these documents is common: it
 * finds nothing by itself and counts half.
 *
 * The CTE `asked` has a row for each kind: its queries `any` (one of the words), `every` and `rare`. They are
 * null without words.
 */
export const byNeed = (kinds: readonly DocumentKind[], text: SQL) => {
  const limit = sql`(select most + 1 from share)`
  const hit = keysOf(sql`kinds.kind`, sql`words.word`, { isPrefix: false, limit })
  const isRare = (kind: SQL) => sql`(${kind}, hits.word) not in (select kind, word from common)`
  const rareWords = sql`(select distinct word from hits where ${isRare(sql`kinds.kind`)}) as rare`
  return {
    ctes: sql`
      words as materialized (${stemsOf(text)}),
      kinds as materialized (select unnest(${sql.raw(`array['${kinds.join("', '")}']`)}) as kind),
      share as materialized (select ${sql.raw(String(FOUND))} / greatest(count(*), 1) as most from words),
      hits as materialized (
        select kinds.kind, words.word, hit.key from kinds, words, lateral (${hit}) as hit),
      common as materialized (
        select kind, word from hits group by kind, word having count(*) > (select most from share)),
      asked as materialized (
        select kind, ${ofWords('|', sql`words`)} as any, ${ofWords('&', sql`words`)} as every,
          ${ofWords('|', rareWords)} as rare
        from kinds)`,
    /** Selects the keys of the documents of a kind that have one of the rarer words. */
    keys: (kind: SQL): SQL => sql`select key from hits where kind = ${kind} and ${isRare(kind)}`,
    /** The score of a document, 0 to 100, in a join with `asked`. The rarer words make half of it. */
    score: sql`(${relevance(sql`asked.any`)} + ${relevance(sql`coalesce(asked.rare, asked.any)`)}) / 2`,
  }
}

/** The table of texts and its columns, for a join. */
export const texts = { from: documents, kind: documents.kind, key: documents.key, stems: documents.stems }

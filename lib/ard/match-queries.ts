import { type SQL, sql } from 'drizzle-orm'
import { integer } from 'drizzle-orm/pg-core'
import { agentResources, firstAgentKeys } from '../agents/resource-queries.ts'
import type { Builder } from '../db/builder.ts'
import { computed } from '../db/columns.ts'
import type { Parameters } from '../db/statement.ts'
import { firstRegisteredKeys, registeredResources } from '../registry/resource-queries.ts'
import { anyWord, keysOf, relevance, texts, wordsOf } from '../search/queries.ts'
import { resourceColumns } from '../search/resource-queries.ts'
import { MIN_SCORE } from './rules.ts'

/** Candidates of each kind, marketplace and registry: found by the words of the text, and first in the list. */
const FOUND = 500
const FIRST = 500

/** What a search asks for; a filter that is null asks for nothing. */
export const matchParameters = {
  text: 'text',
  protocols: 'text[]?',
  tags: 'text[]?',
  capabilities: 'text[]?',
  agentTypes: 'text[]?',
  feeModels: 'text[]?',
} as const

/**
 * The CTE `matched`: what a search finds, with its score; without text everything that is first in the lists.
 *
 * At most 2,000 candidates are looked at, whatever the text: of each kind those that have a word which few
 * have (a word of more says little, and is left to the score), and the first of the list, which are there for
 * texts of common words only.
 */
export function matchedResources(db: Builder, $: Parameters<typeof matchParameters>, by: { text: boolean }) {
  const found = sql.raw(String(FOUND))
  const first = sql.raw(String(by.text ? FIRST : FIRST + FOUND))
  const kindOf = { agent: sql`'agent'`, registered: sql`'registered'` }
  const hitsOf = (kind: SQL) => sql`
    select ${kind} as kind, words.word, hit.key from words, lateral (
      ${keysOf(kind, sql`words.word`, { isPrefix: false, limit: sql`(select most + 1 from share)` })}) as hit`
  const keys = (kind: SQL, firstKeys: SQL) => sql`
    select key from telling where kind = ${kind} union all (${firstKeys})`
  const isWanted = (column: SQL, wanted: SQL) => sql`(${wanted} is null or ${column} = any (${wanted}))`
  const score = by.text ? relevance(sql`(select query from asked)`) : sql`0`
  const isRelevant = by.text
    ? sql`${texts.stems} @@ (select query from asked) and ${score} >= ${sql.raw(String(MIN_SCORE))}`
    : sql`true`
  return db.$with('matched', computed({ ...resourceColumns, score: integer().notNull() })).as(sql`
    with words as materialized (${wordsOf('english', $.text)}),
      asked as materialized (select ${anyWord(sql`words`)} as query),
      share as materialized (select ${found} / greatest(count(*), 1) as most from words),
      hits as materialized (${hitsOf(kindOf.agent)} union all ${hitsOf(kindOf.registered)}),
      telling as materialized (
        select kind, key from (select hits.*, count(*) over (partition by kind, word) as documents from hits) as counted
        where documents <= (select most from share))
    select resources.*, ${score} as score
    from (
      ${agentResources(keys(kindOf.agent, firstAgentKeys(first)))}
      union all ${registeredResources(keys(kindOf.registered, firstRegisteredKeys(first)))}) as resources
    join ${texts.from} on ${texts.kind} = resources.kind and ${texts.key} = resources.key
    where ${isRelevant}
      and ${isWanted(sql`resources.protocol`, sql`${$.protocols}`)}
      and (${$.tags} is null or array[resources.agent_type, resources.kind] && ${$.tags})
      and (${$.capabilities} is null or resources.capabilities && ${$.capabilities})
      and ${isWanted(sql`resources.agent_type`, sql`${$.agentTypes}`)}
      and ${isWanted(sql`resources.fee_model`, sql`${$.feeModels}`)}`)
}

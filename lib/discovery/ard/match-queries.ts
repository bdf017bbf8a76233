import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { integer } from 'drizzle-orm/pg-core'
import { agentResources, firstAgentKeys } from '../../agents/listing/resource-queries.ts'
import type { Builder } from '../../db/builder.ts'
import { computed } from '../../db/columns.ts'
import type { Parameters } from '../../db/statement.ts'
import { firstRegisteredKeys, registeredResources } from '../../registry/resource-queries.ts'
import { byNeed, FIRST, texts } from '../search/queries.ts'
import { resourceColumns } from '../search/resource-queries.ts'
import { FOUND, MIN_SCORE } from '../search/score.ts'

/** The parameters of a search; a null filter is ignored. */
export const matchParameters = {
  text: 'text',
  publishers: 'text[]?',
  protocols: 'text[]?',
  tags: 'text[]?',
  capabilities: 'text[]?',
  agentTypes: 'text[]?',
  feeModels: 'text[]?',
  paidPerRequest: 'text[]?',
} as const

type Match = Parameters<typeof matchParameters>

/** Selects the publisher of an identifier; empty for the service's own. */
export const publisherOf = (identifier: SQLWrapper): SQL =>
  sql`coalesce(split_part(${identifier}, ':', 3), '')`

const isWanted = (column: SQL, wanted: SQL) => sql`(${wanted} is null or ${column} = any (${wanted}))`

const fits = ($: Match) => sql`
  ${isWanted(publisherOf(sql`resources.identifier`), sql`${$.publishers}`)}
    and ${isWanted(sql`resources.protocol`, sql`${$.protocols}`)}
    and (${$.tags} is null or array[resources.agent_type, resources.kind] && ${$.tags})
    and (${$.capabilities} is null or resources.capabilities && ${$.capabilities})
    and ${isWanted(sql`resources.agent_type`, sql`${$.agentTypes}`)}
    and ${isWanted(sql`resources.fee_model`, sql`${$.feeModels}`)}
    and ${isWanted(sql`resources.paid_per_request::text`, sql`${$.paidPerRequest}`)}`

/** Selects the resources of both kinds by a list of keys for each. */
const resourcesOf = (keysOfKind: (kind: SQL, first: SQL) => SQL, first: SQL) => sql`
  ${agentResources(keysOfKind(sql`'agent'`, firstAgentKeys(first)))}
  union all ${registeredResources(keysOfKind(sql`'registered'`, firstRegisteredKeys(first)))}`

/**
 * Makes the CTE `matched`: the results of a search with their scores, or without a text the first rows of
 * each kind.
 *
 * It reads at most 2,000 candidates: of each kind by the rarer words, and the first ones regardless of text.
 */
export function matchedResources(db: Builder, $: Match, by: { text: boolean }) {
  const matched = db.$with('matched', computed({ ...resourceColumns, score: integer().notNull() }))
  return matched.as(
    by.text
      ? scored($)
      : sql`
    select resources.*, 0 as score from (${resourcesOf((_, first) => first, sql.raw(String(FOUND + FIRST)))}) as resources
    where ${fits($)}`,
  )
}

function scored($: Match): SQL {
  const { ctes, keys, score } = byNeed(['agent', 'registered'], sql`${$.text}`)
  const candidates = (kind: SQL, first: SQL) => sql`${keys(kind)} union all (${first})`
  return sql`
    with ${ctes},
      found as materialized (
        select resources.*, ${score} as score
        from (${resourcesOf(candidates, sql.raw(String(FIRST)))}) as resources
        join asked on asked.kind = resources.kind
        join ${texts.from} on ${texts.kind} = resources.kind and ${texts.key} = resources.key
        where ${texts.stems} @@ asked.any and ${fits($)})
    select * from found where score >= ${sql.raw(String(MIN_SCORE))}`
}

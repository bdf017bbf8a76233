import { and, type SQL, sql } from 'drizzle-orm'
import { agentListings } from '../../../schema/tables/agent-listings.ts'
import { agents } from '../../../schema/tables/agents.ts'
import type { Db } from '../../db/connect.ts'
import { type Parameters, read } from '../../db/statement.ts'
import { FEW, hasWords, rarestWord, STEPS } from '../../discovery/search/queries.ts'
import {
  type AgentEndpointFilter,
  agentEndpointParameters,
  agentEndpointState,
  agentEndpoints,
  asksForAgentEndpoint,
  isAgentEndpointOf,
  isSeenAs,
} from '../../liveness/queries.ts'
import { publicAgent } from '../column-queries.ts'
import { requestNeeds } from '../queries.ts'
import type { AgentCursor, ListedAgent } from './cursor.ts'
import {
  type AgentFilter,
  firstAgents,
  inOrderOf,
  isAffordable,
  isInLayer,
  isSortedByAgent,
  isWantedNext,
  type ListShape,
  listParameters,
  listValues,
  placed,
  START,
  selected,
  shapeOf,
  sortKeyOf,
} from './list-queries.ts'

const { agentId, layer, status, name, wordBloom, agentType, feeModel, isPriced } = agentListings

/**
 * A filter with conditions outside the list's indexes: words, and the last known state of agent endpoints.
 */
export type AgentSearch = AgentFilter & AgentEndpointFilter & { q?: string | undefined }

/** The parameters of a search's conditions. */
export const searchParameters = { text: 'text', namePattern: 'text', ...agentEndpointParameters } as const

/** Returns the values of searchParameters. Without a text, every name matches. */
export const searchValues = ({ q = '', endpoint, card }: AgentSearch) => ({
  text: q,
  // Listed names are in NFKC. Normalizing can produce the pattern characters, so escape them after it.
  namePattern: `${q.normalize('NFKC').replace(/[\\%_]/g, '\\$&')}%`,
  endpoint,
  card,
})

/**
 * The condition that an agent's name begins with the text or its words match, and its endpoint matches.
 * @param query the text search query of the words
 */
export const isFound = ($: Parameters<typeof searchParameters>, query: SQL): SQL => sql`(
  (listed_name(${agents.isListed}, ${agents.name}) like lower(${$.namePattern})
    or ${hasWords('agent', sql`${agents.id}::text`, query)})
  and ${isSeenAs(agents, $)})`

/** The columns of candidates that a search compares, of an agent's row or of a listing. */
const comparedInAgent = ($: Parameters<typeof listParameters>): SQL =>
  sql`, listed_name(${agents.isListed}, ${agents.name}) as name, null::bit(256) as word_bloom, ${agents.agentType}, ${agents.feeModel}, ${agents.reputationScore}, ${agents.requestPrices} > 0 as is_priced, ${isInLayer($)} as is_in_layer`

/** Each row that is read has only the columns of these that its index has, unless the list needs more. */
const comparedInListing = (by: { text: boolean; filtered: boolean }): SQL =>
  sql`, ${by.text ? sql`${name}, ${wordBloom}` : sql`'' as name, null::bit(256) as word_bloom`}, ${
    by.filtered
      ? sql`${agentType}, ${feeModel}, ${agentListings.reputationScore}, ${isPriced}`
      : sql`null as agent_type, null as fee_model, null::double precision as reputation_score, null::boolean as is_priced`
  }, true as is_in_layer`

export type SearchShape = ListShape & { text: boolean; endpoint: boolean; affordable: boolean }

type SearchParameters = Parameters<typeof listParameters & typeof searchParameters & { steps: 'integer' }>

/**
 * Makes the CTEs of a search. `page` has the first agents after the cursor that match, in order (agent_id,
 * sort_key). `reached` has the last step of a walk that used all its steps without filling the page.
 */
export function searched($: SearchParameters, by: SearchShape): SQL {
  const few = sql.raw(String(FEW))
  const oneMore = sql.raw(String(FEW + 1))
  const { sort } = by
  const inOrder = inOrderOf(selected, sort)
  const isNamed = sql`name like lower(${$.namePattern})`
  // In the order of the index of names, so that the planner chooses it.
  const named = sql`
      select first.* from unnest(${$.statuses}) as one_status, lateral (
        select ${agentId} from ${agentListings}
        where ${layer} = ${$.layer} and ${status} = one_status and ${isNamed}
        order by ${name} using ~<~ limit ${oneMore}) as first limit ${oneMore}`
  const rarest = rarestWord('agent', $.text)
  const isFew = sql`(select count(*) from named) <= ${few} and ${rarest.count} <= ${few}`
  const areFew = sql`(select are_few from extent)`
  const ids = sql`
      select agent_id from named union all select key::uuid from (${rarest.keys}) as found`
  const conditions = [by.endpoint && isSeenAs(agents, $), by.affordable && isAffordable($)]
  const isFit = and(sql`true`, ...conditions.filter((one) => one !== false))
  // In these orders, and among agents with prices, it walks all kinds and reputations and filters each row.
  const isFiltered = sort !== 'reputation' || by.priced
  const compared = isSortedByAgent(sort)
    ? comparedInAgent($)
    : comparedInListing({ text: by.text, filtered: isFiltered })
  // The candidates in the list's order: the few hits, or a limited number of steps of the list.
  const candidates = sql`
      select ${agents.id} as agent_id, ${sortKeyOf(sort)} as sort_key${comparedInAgent($)}
      from ${agents} where ${areFew} and ${agents.id} = any (array(${ids})) and ${isWantedNext($, sort)} and ${isFit}
      union all
      select * from (${firstAgents($, by, sql`${$.steps}`, compared)}) as walked where not ${areFew}
      order by ${inOrder}`
  const isFitToo =
    by.endpoint || by.affordable
      ? sql`(${areFew} or exists (select from ${agents} where ${agents.id} = candidates.agent_id and ${isFit}))`
      : sql`true`
  // Cheapest condition first: the listing, the agent and its endpoint's state, the text.
  const isKind = isFiltered
    ? sql`is_in_layer and agent_type = any (${$.agentTypes}) and fee_model = any (${$.feeModels}) and reputation_score >= ${$.minReputation} and is_priced >= (${$.leastPrices} > 0) and `
    : sql``
  // Candidates are read in order, so that reading stops once the page is full.
  const isIt = sql`${isKind}case when ${isNamed} or coalesce(${rarest.mayBeIn(sql`word_bloom`)}, true)
      then ${isFitToo} and (${isNamed} or ${hasWords('agent', sql`candidates.agent_id::text`, rarest.query)}) end`
  return sql`
    ${rarest.ctes},
    named as materialized (${named}),
    extent as materialized (select ${isFew} as are_few),
    candidates as materialized (${candidates}),
    page as materialized (
      select agent_id, sort_key from candidates where ${isIt} order by ${inOrder} limit ${$.limit}),
    reached as materialized (
      select sort_key, agent_id from candidates where not ${areFew} and (select count(*) from page) < ${$.limit}
      order by ${inOrder} limit 1 offset ${$.steps} - 1)`
}

const agentSearch = read(
  { ...listParameters, ...searchParameters, steps: 'integer' },
  (db, $, by: SearchShape) =>
    db
      .select({
        reachedKey: sql<number | null>`reached_key`.mapWith(Number),
        reachedId: sql<string | null>`reached_id`,
        agent: { ...publicAgent },
        sortKey: sortKeyOf(by.sort),
        endpoint: agentEndpointState,
        requestNeeds: requestNeeds($.requestFee),
      })
      .from(
        sql`(
          with ${searched($, by)}
          select reached.sort_key as reached_key, reached.agent_id as reached_id, array(select agent_id from page) as page
          from (values (1)) as one left join reached on true) as found`,
      )
      .leftJoin(agents, sql`${agents.id} = any (page)`)
      .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
      .orderBy(inOrderOf(placed(by.sort), by.sort)),
)

/** A page of a search. `reached` is the cursor of the next page if the walk ended before the list did. */
export type FoundAgents = { agents: ListedAgent[]; reached: AgentCursor | undefined }

/** Returns the parameters and the shape of a search's statement. */
export function searchOf(search: AgentSearch, after: AgentCursor, limit: number) {
  const values = listValues(search, after, limit)
  const shape = shapeOf(search)
  const kinds = shape.kind ? values.agentTypes.length * values.feeModels.length : 1
  return {
    values: {
      ...values,
      ...searchValues(search),
      steps: Math.floor(STEPS / (values.statuses.length * kinds)),
    },
    shape: {
      ...shape,
      text: search.q !== undefined,
      endpoint: asksForAgentEndpoint(search),
      affordable: search.maxRequestPrice !== undefined,
    },
  }
}

/**
 * Finds agents by a text: the name begins with it (ignoring case), or for each word of the text, the agent
 * has a word that begins with it. Reads up to `limit` agents after a cursor, in the list's order.
 *
 * Up to a thousand hits of either kind are read and sorted. Above that the list is walked in its order,
 * 2,000 steps for a page. A page may then have fewer agents than `limit`, or none, and `reached` starts the
 * next.
 */
export async function searchAgents(
  db: Db,
  search: AgentSearch,
  after: AgentCursor = START,
  limit: number,
): Promise<FoundAgents> {
  const { values, shape } = searchOf(search, after, limit)
  const rows = await agentSearch.run(db, values, shape)
  const { reachedKey, reachedId } = rows[0] ?? {}
  const reached = reachedKey == null || reachedId == null ? undefined : { sortKey: reachedKey, id: reachedId }
  return { agents: rows.flatMap(({ agent, ...read }) => (agent ? { ...agent, ...read } : [])), reached }
}

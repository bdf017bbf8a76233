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
import { type ReadAgent, requestNeeds } from '../queries.ts'
import type { AgentCursor } from './cursor.ts'
import {
  type AgentFilter,
  firstListings,
  inOrderOf,
  isAffordable,
  isWanted,
  type ListShape,
  listed,
  listParameters,
  listValues,
  START,
  shapeOf,
} from './list-queries.ts'

const { agentId, reputationScore, layer, status, name, wordBloom, agentType, feeModel, isPriced } =
  agentListings

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

const agentSearch = read(
  { ...listParameters, ...searchParameters, steps: 'integer' },
  (db, $, by: ListShape & { text: boolean; endpoint: boolean; affordable: boolean }) => {
    const few = sql.raw(String(FEW))
    const oneMore = sql.raw(String(FEW + 1))
    const inOrder = inOrderOf(listed, by.sort)
    const isNewestFirst = by.sort === 'newest'
    const isNamed = sql`${name} like lower(${$.namePattern})`
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
      select ${agentId} from named as ${agentListings} union all select key::uuid from (${rarest.keys}) as found`
    const conditions = [by.endpoint && isSeenAs(agents, $), by.affordable && isAffordable($)]
    const isFit = and(sql`true`, ...conditions.filter((one) => one !== false))
    // A text is compared with both. The index of kinds does not have them, so they come from the table.
    const ofText = by.text ? [name, wordBloom] : []
    // Newest first, and among agents with prices, it walks all kinds and reputations and filters each row.
    const isFiltered = isNewestFirst || by.priced
    const ofKind = isFiltered ? [agentType, feeModel, isPriced] : []
    const columns = sql`${by.text ? sql.join(ofText, sql`, `) : sql`'', null`}${isFiltered ? sql`, ${sql.join(ofKind, sql`, `)}` : sql``}`
    // The candidates in the list's order: the few hits, or a limited number of steps of the list.
    const candidates = sql`
      select ${agents.id} as agent_id, ${agents.reputationScore}, listed_name(${agents.isListed}, ${agents.name}) as name, null::bit(256) as word_bloom${isFiltered ? sql`, ${agents.agentType}, ${agents.feeModel}, ${agents.requestPrices} > 0 as is_priced` : sql``}
      from ${agents} where ${areFew} and ${agents.id} = any (array(${ids})) and ${isWanted($, by.sort)} and ${isFit}
      union all
      select ${agentId}, ${reputationScore}, ${columns}
      from (${firstListings($, by, $.steps, [...ofText, ...ofKind])}) as ${agentListings} where not ${areFew}
      order by ${isNewestFirst ? sql`agent_id desc` : sql`reputation_score desc, agent_id desc`}`
    const isFitToo =
      by.endpoint || by.affordable
        ? sql`(${areFew} or exists (select from ${agents} where ${agents.id} = ${agentId} and ${isFit}))`
        : sql`true`
    // Cheapest condition first: the listing, the agent and its endpoint's state, the text.
    const isKind = isFiltered
      ? sql`${agentType} = any (${$.agentTypes}) and ${feeModel} = any (${$.feeModels}) and ${reputationScore} >= ${$.minReputation} and ${isPriced} >= (${$.leastPrices} > 0) and `
      : sql``
    const isIt = sql`${isKind}case when ${isNamed} or coalesce(${rarest.mayBeIn(wordBloom)}, true)
      then ${isFitToo} and (${isNamed} or ${hasWords('agent', sql`${agentId}::text`, rarest.query)}) end`
    // Candidates are read in order, so that reading stops once the page is full.
    const page = sql`
      select ${agentId} from candidates as ${agentListings} where ${isIt} order by ${inOrder} limit ${$.limit}`
    // The last step of a walk that used all its steps without filling the page: the next page starts there.
    const reached = sql`
      select ${reputationScore} as reached_score, ${agentId} as reached_id from candidates as ${agentListings}
      where not ${areFew} and (select count(*) from page) < ${$.limit}
      order by ${inOrder} limit 1 offset ${$.steps} - 1`
    return db
      .select({
        reachedScore: sql<number | null>`reached_score`.mapWith(Number),
        reachedId: sql<string | null>`reached_id`,
        agent: publicAgent,
        endpoint: agentEndpointState,
        requestNeeds: requestNeeds($.requestFee),
      })
      .from(
        sql`(
          with ${rarest.ctes},
            named as materialized (${named}),
            extent as materialized (select ${isFew} as are_few),
            candidates as materialized (${candidates}),
            page as materialized (${page})
          select reached.*, array(table page) as page from (values (1)) as one left join (${reached}) as reached on true) as found`,
      )
      .leftJoin(agents, sql`${agents.id} = any (page)`)
      .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
      .orderBy(inOrderOf(agents, by.sort))
  },
)

/** A page of a search. `reached` is the cursor of the next page if the walk ended before the list did. */
export type FoundAgents = { agents: ReadAgent[]; reached: AgentCursor | undefined }

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
  const values = listValues(search, after, limit)
  const shape = shapeOf(search)
  const kinds = shape.kind ? values.agentTypes.length * values.feeModels.length : 1
  const rows = await agentSearch.run(
    db,
    {
      ...values,
      ...searchValues(search),
      steps: Math.floor(STEPS / (values.statuses.length * kinds)),
    },
    {
      ...shape,
      text: search.q !== undefined,
      endpoint: asksForAgentEndpoint(search),
      affordable: search.maxRequestPrice !== undefined,
    },
  )
  const { reachedScore, reachedId } = rows[0] ?? {}
  const reached =
    reachedScore == null || reachedId == null ? undefined : { reputationScore: reachedScore, id: reachedId }
  return { agents: rows.flatMap(({ agent, ...read }) => (agent ? { ...agent, ...read } : [])), reached }
}

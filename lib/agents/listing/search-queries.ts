import { desc, getTableColumns, type SQL, sql } from 'drizzle-orm'
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
  isAgentEndpointOf,
  isSeenAs,
} from '../../liveness/queries.ts'
import type { ReadAgent } from '../queries.ts'
import type { AgentCursor } from './cursor.ts'
import {
  type AgentFilter,
  asksForKind,
  firstListings,
  isWanted,
  listParameters,
  listValues,
  START,
} from './list-queries.ts'

const { agentId, reputationScore, layer, status, name } = agentListings

/** A filter with what no index of the list has: words, and what was last seen of agent endpoints. */
export type AgentSearch = AgentFilter & AgentEndpointFilter & { q?: string | undefined }

/** The parameters of what a search finds, of whatever agents. */
export const searchParameters = { text: 'text', namePattern: 'text', ...agentEndpointParameters } as const

/** Their values. Without a text all names begin with it. */
export const searchValues = ({ q = '', endpoint, card }: AgentSearch) => ({
  text: q,
  namePattern: `${q.replace(/[\\%_]/g, '\\$&')}%`,
  endpoint,
  card,
})

/**
 * Whether a search finds an agent: by the beginning of its name or by its words, and by its endpoint.
 * @param query of the search's words
 */
export const isFound = ($: Parameters<typeof searchParameters>, query: SQL): SQL => sql`(
  (lower(${agents.name}) like lower(${$.namePattern}) or ${hasWords('agent', sql`${agents.id}::text`, query)})
  and ${isSeenAs(agents, $)})`

const agentSearch = read(
  { ...listParameters, ...searchParameters, steps: 'integer' },
  (db, $, by: { kind: boolean }) => {
    const few = sql.raw(String(FEW))
    const oneMore = sql.raw(String(FEW + 1))
    // By the index's order of names, so that nothing else looks cheaper.
    const named = sql`
      select first.* from unnest(${$.statuses}) as one_status, lateral (
        select ${agentId} from ${agentListings}
        where ${layer} = ${$.layer} and ${status} = one_status and ${name} like lower(${$.namePattern})
        order by ${name} using ~<~ limit ${oneMore}) as first limit ${oneMore}`
    const rarest = rarestWord('agent', $.text)
    const areFew = sql`(select count(*) from named) <= ${few} and ${rarest.count} <= ${few}`
    const candidates = sql`
      select ${agentId} from named as ${agentListings} where (select are_few from extent)
      union all select key::uuid from (${rarest.keys}) as found where (select are_few from extent)
      union all select ${agentId} from walked as ${agentListings}`
    const page = sql`
      select ${agents.id} from ${agents}
      where ${agents.id} = any (array(${candidates})) and ${isWanted($)} and ${isFound($, rarest.query)}
      order by ${desc(agents.reputationScore)}, ${desc(agents.id)} limit ${$.limit}`
    // The last step of the walk, if it took them all: there the next page goes on.
    const reached = sql`
      select ${reputationScore} as reached_score, ${agentId} as reached_id
      from (select (select count(*) from walked) as steps) as walk
      left join lateral (
        select ${agentId}, ${reputationScore} from walked as ${agentListings}
        order by ${reputationScore}, ${agentId} limit 1) as ${agentListings} on steps = ${$.steps}`
    return db
      .select({
        reachedScore: sql<number | null>`reached_score`.mapWith(Number),
        reachedId: sql<string | null>`reached_id`,
        agent: getTableColumns(agents),
        endpoint: agentEndpointState,
      })
      .from(
        sql`(
          with ${rarest.ctes},
            named as materialized (${named}),
            extent as materialized (select ${areFew} as are_few),
            walked as materialized (
              select * from (${firstListings($, by.kind, $.steps)}) as walked where not (select are_few from extent))
          select reached.*, array(${page}) as page from (${reached}) as reached) as found`,
      )
      .leftJoin(agents, sql`${agents.id} = any (page)`)
      .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
      .orderBy(desc(agents.reputationScore), desc(agents.id))
  },
)

/** A page of a search: its agents, and how far the list was walked for it, if it may go on from there. */
export type FoundAgents = { agents: ReadAgent[]; reached: AgentCursor | undefined }

/**
 * Finds agents whose name begins with a text, in any case, or whose words (name, type, description, layers)
 * begin with all of its words: up to `limit` after a cursor, by reputationScore desc, then id desc. Without a
 * text all names begin with it.
 *
 * Up to a thousand of either are read and sorted. Beyond that the list is walked in its order, 2,000 steps
 * for a page. It may then have fewer agents than `limit`, even none: `reached` is where the next one goes on.
 */
export async function searchAgents(
  db: Db,
  search: AgentSearch,
  after: AgentCursor = START,
  limit: number,
): Promise<FoundAgents> {
  const values = listValues(search, after, limit)
  const byKind = asksForKind(search)
  const kinds = byKind ? values.agentTypes.length * values.feeModels.length : 1
  const rows = await agentSearch.run(
    db,
    {
      ...values,
      ...searchValues(search),
      steps: Math.floor(STEPS / (values.statuses.length * kinds)),
    },
    { kind: byKind },
  )
  const { reachedScore, reachedId } = rows[0] ?? {}
  const reached =
    reachedScore == null || reachedId == null ? undefined : { reputationScore: reachedScore, id: reachedId }
  return { agents: rows.flatMap(({ agent, endpoint }) => (agent ? { ...agent, endpoint } : [])), reached }
}

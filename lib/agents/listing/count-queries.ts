import { sql } from 'drizzle-orm'
import { agentListings, EVERY_LAYER } from '../../../schema/tables/agent-listings.ts'
import { agents } from '../../../schema/tables/agents.ts'
import { MAX_COUNTED_AGENTS } from '../../../schema/values.ts'
import { LAST_LAYER } from '../../../schema/wire/common.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { asksForAgentEndpoint } from '../../liveness/queries.ts'
import { START, shapeOf } from './list-queries.ts'
import { neededAgents, needParameters } from './need-queries.ts'
import { type AgentSearch, type SearchShape, searched, searchOf } from './search-queries.ts'

/** Counts of a list. `isComplete`: no agent that matches was left uncounted. */
type Counts = { count: number; layers: { layer: number; count: number }[]; isComplete: boolean }

const most = sql.raw(String(MAX_COUNTED_AGENTS))
const layers = sql.raw(`generate_series(${EVERY_LAYER}, ${LAST_LAYER})`)
const counted = {
  layer: sql<number>`layer`.mapWith(Number),
  count: sql<number>`agents`.mapWith(Number),
  isComplete: sql<boolean>`is_complete`,
}

const listedCounts = read(
  { status: agentListings.status, minReputation: 'double precision' },
  (db, $, by: { priced: boolean }) =>
    db.select(counted).from(sql`(
    select its.layer, listed.agents, true as is_complete from ${layers} as its (layer), lateral (
      select count(*) as agents from (
        select from ${agentListings}
        where ${agentListings.layer} = its.layer and ${agentListings.status} = ${$.status}
          and ${agentListings.reputationScore} >= ${$.minReputation}${by.priced ? sql` and ${agentListings.isPriced}` : sql``}
        limit ${most}) as first) as listed) as counts`),
)

const foundCounts = read({ ...needParameters, steps: 'integer' }, (db, $, by: SearchShape) => {
  const needed = by.text
    ? sql`(with ${neededAgents($, { sort: 'newest', isOwned: false })} select agent_id from needed where has_every)`
    : sql`(select null::uuid where false)`
  return db.select(counted).from(sql`(
    with ${searched($, by)},
      found as materialized (select array(select agent_id from page union all ${needed}) as ids),
      counts as (
        select one.layer, count(*) as agents
        from ${agents}, unnest(${sql.raw(String(EVERY_LAYER))}::smallint || case when ${agents.isListed} then ${agents.supportedLayers} else '{}' end) as one (layer)
        where ${agents.id} = any ((select ids from found)::uuid[])
        group by 1)
    select its.layer, coalesce(counts.agents, 0) as agents,
      (select count(*) from page) < ${$.limit} and not exists (select from reached) as is_complete
    from ${layers} as its (layer) left join counts on counts.layer = its.layer) as counts`)
})

/**
 * Counts the agents of a list by layer, each up to MAX_COUNTED_AGENTS. If each count is a range of an index,
 * it is of the whole list; otherwise of the agents that one page of a search reads.
 */
export async function selectCounts(db: Db, search: AgentSearch): Promise<Counts> {
  const rows = await countRows(db, search)
  const counts = rows.map(({ layer, count }) => ({ layer, count: Math.min(count, MAX_COUNTED_AGENTS) }))
  return {
    count: counts.find(({ layer }) => layer === EVERY_LAYER)?.count ?? 0,
    layers: counts.filter(({ layer }) => layer !== EVERY_LAYER),
    isComplete: rows.every(({ isComplete }) => isComplete),
  }
}

function countRows(db: Db, search: AgentSearch) {
  const { status, q, agentType, feeModel, maxRequestPrice, minReputation = 0 } = search
  const isFiltered = [q, agentType, feeModel, maxRequestPrice].some((filter) => filter !== undefined)
  if (status !== 'all' && !isFiltered && !asksForAgentEndpoint(search))
    return listedCounts.run(db, { status, minReputation }, { priced: shapeOf(search).priced })
  const { values, shape } = searchOf({ ...search, layer: undefined }, START, MAX_COUNTED_AGENTS)
  return foundCounts.run(db, values, shape)
}

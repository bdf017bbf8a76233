import { type SQL, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import type { AgentSort } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { optional, type Parameters, read } from '../../db/statement.ts'
import { byNeed, everyWord, FIRST, texts, wordsOf } from '../../discovery/search/queries.ts'
import { MIN_SCORE } from '../../discovery/search/score.ts'
import { agentEndpointState, agentEndpoints, isAgentEndpointOf, isSeenAs } from '../../liveness/queries.ts'
import { publicAgent } from '../column-queries.ts'
import { type ReadAgent, requestNeeds } from '../queries.ts'
import type { NeedCursor } from './cursor.ts'
import { idsInRanges, isWanted, listParameters, listValues, START, sortKeyOf } from './list-queries.ts'
import { type AgentSearch, isFound, searchParameters, searchValues } from './search-queries.ts'

/** An agent that was found by need, with its position. */
type NeededAgent = ReadAgent & NeedCursor

/**
 * Agents with every significant word of the need (`all`), with only some (`some`), or `some` unless one has
 * all.
 */
export type NeedMatch = 'all' | 'some' | 'all or else some'

export const needParameters = {
  ...listParameters,
  ...searchParameters,
  owner: optional(agents.pubkey),
  firstKey: 'double precision?',
  secondKey: 'double precision?',
  lastId: 'uuid?',
} as const

type NeedParameters = Parameters<typeof needParameters>
type NeedShape = { sort: AgentSort; isOwned: boolean; match: NeedMatch; isContinued: boolean }

/** By default the best score is first, then the reputation; otherwise the list's order, then the score. */
const keysOf = (sort: AgentSort, score: SQL): [SQL, SQL] => {
  if (sort === 'newest') return [sql`0`, sql`0`]
  return sort === 'reputation' ? [score, sortKeyOf(sort)] : [sortKeyOf(sort), score]
}

/**
 * Makes the CTEs of a search by need: `needed` has the agents that the filters admit and that
 * {@link searchAgents} does not find, with has_every, first_key, second_key and agent_id.
 */
export function neededAgents($: NeedParameters, { sort, isOwned }: Pick<NeedShape, 'sort' | 'isOwned'>): SQL {
  const { ctes, keys, score } = byNeed(['agent'], sql`${$.text}`)
  const first = idsInRanges($, { kind: false, priced: false, sort: 'reputation' }, sql.raw(String(FIRST)))
  const candidates = isOwned
    ? sql`select id from ${agents} where ${agents.pubkey} = ${$.owner}`
    : sql`select key::uuid from (${keys(sql`'agent'`)}) as keys union all ${first}`
  const [firstKey, secondKey] = keysOf(sort, score)
  const isExact = isFound($, everyWord(sql`(${wordsOf($.text)}) as words`))
  return sql`
    ${ctes},
    needed as materialized (
      select ${agents.id} as agent_id, ${texts.stems} @@ asked.every as has_every,
        (${firstKey})::double precision as first_key, (${secondKey})::double precision as second_key
      from asked, ${agents} join ${texts.from} on ${texts.kind} = 'agent' and ${texts.key} = ${agents.id}::text
      where ${agents.id} = any (array(${candidates})) and ${texts.stems} @@ asked.any and ${isWanted($)}
        and ${score} >= ${sql.raw(String(MIN_SCORE))} and ${isSeenAs(agents, $)} and not ${isExact})`
}

/** The condition that a row of `needed` has as many words as wanted. */
const isMatch = (match: NeedMatch): SQL => {
  if (match === 'all') return sql`has_every`
  return match === 'some'
    ? sql`not has_every`
    : sql`(has_every or not exists (select from needed where has_every))`
}

const needPage = read(needParameters, (db, $, by: NeedShape) => {
  const order = sql`first_key desc, second_key desc, agent_id desc`
  const isAfter = sql`(first_key, second_key, agent_id) < (${$.firstKey}, ${$.secondKey}, ${$.lastId})`
  const page = sql`
    select * from needed where ${isMatch(by.match)} ${by.isContinued ? sql`and ${isAfter}` : sql``}
    order by ${order} limit ${$.limit}`
  return db
    .select({
      ...publicAgent,
      endpoint: agentEndpointState,
      requestNeeds: requestNeeds($.requestFee),
      isClose: sql<boolean>`not has_every`,
      firstKey: sql<number>`first_key`.mapWith(Number),
      secondKey: sql<number>`second_key`.mapWith(Number),
    })
    .from(sql`(with ${neededAgents($, by)} ${page}) as page`)
    .innerJoin(agents, sql`${agents.id} = agent_id`)
    .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
    .orderBy(order)
})

/**
 * Finds agents by a need, as POST /ard/search does, without those that `searchAgents` finds. Reads up to
 * `limit` agents after a cursor, best first or by `sort`.
 *
 * It reads at most 1,000 candidates: by the rarer words, and the first of the list regardless of their text.
 */
export async function selectNeeded(
  db: Db,
  { match, ...search }: AgentSearch & { owner?: Wallet | undefined; match: NeedMatch },
  after: NeedCursor | undefined,
  limit: number,
): Promise<NeededAgent[]> {
  const [firstKey, secondKey] = after?.keys ?? []
  const rows = await needPage.run(
    db,
    {
      // The list of candidates begins at its start, also for later pages.
      ...listValues(search, START, limit),
      ...searchValues(search),
      owner: search.owner,
      ...{ firstKey, secondKey, lastId: after?.id },
    },
    {
      sort: search.sort ?? 'reputation',
      isOwned: search.owner !== undefined,
      match,
      isContinued: after !== undefined,
    },
  )
  return rows.map(({ firstKey, secondKey, ...agent }) => ({ ...agent, keys: [firstKey, secondKey] }))
}

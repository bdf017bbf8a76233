import { and, asc, eq, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import { requestPrices, requestResources } from '../../../schema/tables/x402.ts'
import type { AgentEndpointStatus } from '../../../schema/values.ts'
import { activeAgent } from '../../agents/parts/part-queries.ts'
import { columnsOf } from '../../db/columns.ts'
import { read } from '../../db/statement.ts'
import { agentEndpoints, isAgentEndpointOf } from '../../liveness/queries.ts'
import { priceUrl } from '../prices/url-queries.ts'
import { MAX_NEWEST, MAX_OF_OWNER, MAX_RANKED } from './rules.ts'

type Ranked = Record<
  'endpoint' | 'reputationScore' | 'fees' | 'agentId' | 'priceName' | 'changedAt',
  SQLWrapper
>

/** The order of routes: live endpoints first, then by reputation, then by fees. */
const byRank = (of: Ranked) =>
  sql`(${of.endpoint} = 'live') desc, ${of.reputationScore} desc, ${of.fees} desc, ${of.agentId}, ${of.priceName}`

const rowNumber = (partition: SQLWrapper, order: SQLWrapper) =>
  sql<number>`(row_number() over (${partition} order by ${order}))::integer`

const limit = (most: number) => sql.raw(String(most))

/**
 * Reads the routes of the catalog by rank, each with its price and agent: the highest ranks, the newest of
 * the others, and few of each owner. It reads the documents of these only. `total` counts all listed routes
 * within the limit of their owners.
 */
export const catalogRoutes = read({}, (db) => {
  const { agentId, priceName, url, fees, checkedAt, changedAt, state, isHidden } = requestResources
  const agent = activeAgent(db, agentId)
  const listed = db.$with('listed').as(
    db
      .select({
        ...{ agentId, priceName, url, fees, checkedAt, changedAt },
        owner: agent.owner,
        agentName: agent.name,
        reputationScore: agent.reputationScore,
        endpoint: sql<AgentEndpointStatus>`coalesce(${agentEndpoints.status}, 'unknown')`.as('endpoint'),
        asset: requestPrices.asset,
        amount: requestPrices.amount,
      })
      .from(requestResources)
      .innerJoinLateral(agent, sql`true`)
      .innerJoin(
        requestPrices,
        and(
          eq(requestPrices.agentId, agentId),
          eq(requestPrices.name, priceName),
          isNull(requestPrices.endedAt),
        ),
      )
      .leftJoin(agentEndpoints, isAgentEndpointOf(agent))
      .where(
        and(
          eq(state, sql.raw(`'listed'`)),
          sql`not ${isHidden}`,
          eq(url, priceUrl(priceName, agent.apiEndpoint)),
        ),
      ),
  )
  const numbered = db.$with('numbered').as(
    db
      .select({
        ...columnsOf(listed),
        ofOwner: rowNumber(sql`partition by ${listed.owner}`, byRank(listed)).as('of_owner'),
      })
      .from(listed),
  )
  const ranked = db.$with('ranked').as(
    db
      .select({
        ...columnsOf(numbered),
        rank: rowNumber(sql``, byRank(numbered)).as('rank'),
        total: sql<number>`(count(*) over ())::integer`.as('total'),
      })
      .from(numbered)
      .where(sql`${numbered.ofOwner} <= ${limit(MAX_OF_OWNER)}`),
  )
  const isRanked = sql`(${ranked.rank} <= ${limit(MAX_RANKED)})`
  const aged = db.$with('aged').as(
    db
      .select({
        ...columnsOf(ranked),
        isRanked: sql<boolean>`${isRanked}`.as('is_ranked'),
        age: rowNumber(sql`partition by ${isRanked}`, sql`${ranked.changedAt} desc, ${ranked.rank}`).as(
          'age',
        ),
      })
      .from(ranked),
  )
  return db
    .with(listed, numbered, ranked, aged)
    .select({
      agentId: aged.agentId,
      agentName: aged.agentName,
      owner: aged.owner,
      reputationScore: aged.reputationScore,
      endpoint: aged.endpoint,
      priceName: aged.priceName,
      asset: aged.asset,
      amount: aged.amount,
      url: sql<string>`${aged.url}`,
      checkedAt: aged.checkedAt,
      isRanked: aged.isRanked,
      total: aged.total,
      document: sql<string>`${requestResources.document}`,
    })
    .from(aged)
    .innerJoin(requestResources, and(eq(agentId, aged.agentId), eq(priceName, aged.priceName)))
    .where(sql`(${aged.isRanked} or ${aged.age} <= ${limit(MAX_NEWEST)})`)
    .orderBy(asc(aged.rank))
})

/** A route of the catalog, as the database has it. */
export type CatalogRoute = Awaited<ReturnType<typeof catalogRoutes.run>>[number]

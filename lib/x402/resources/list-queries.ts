import { and, eq, sql } from 'drizzle-orm'
import { text } from 'drizzle-orm/pg-core'
import { requestPrices, requestResources } from '../../../schema/tables/x402.ts'
import { agentOf } from '../../agents/parts/part-queries.ts'
import { computed } from '../../db/columns.ts'
import { read } from '../../db/statement.ts'

const named = computed({ name: text() })

/** Reads an agent's priced routes by name: of its present prices, and of ended ones that are still stored. */
export const routesOf = read({ agentId: requestResources.agentId, owner: 'text' }, (db, $) => {
  const agent = agentOf(db, $.agentId)
  const names = db.$with('names', named).as(sql`
    select ${requestPrices.name} as name from ${requestPrices}
    where ${requestPrices.agentId} = ${$.agentId} and ${requestPrices.endedAt} is null
    union select ${requestResources.priceName} from ${requestResources}
    where ${requestResources.agentId} = ${$.agentId}`)
  return db
    .with(names)
    .select({
      apiEndpoint: agent.apiEndpoint,
      name: sql<string | null>`${names.name}`,
      state: requestResources.state,
      code: requestResources.code,
      isHidden: requestResources.isHidden,
      checkedAt: requestResources.checkedAt,
      nextProbeAt: requestResources.nextProbeAt,
      paidAt: requestResources.paidAt,
    })
    .from(agent)
    .leftJoin(names, sql`true`)
    .leftJoin(
      requestResources,
      and(eq(requestResources.agentId, agent.id), eq(requestResources.priceName, names.name)),
    )
    .where(eq(agent.owner, $.owner))
    .orderBy(names.name)
})

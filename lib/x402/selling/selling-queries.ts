import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { facilitatorKeys, requestRefusals } from '../../../schema/tables/x402.ts'
import { agentOf } from '../../agents/parts/part-queries.ts'
import { read } from '../../db/statement.ts'
import { balanceOf } from '../../payments/credit/credit-queries.ts'

/** Reads what an agent needs to sell requests, with a row for each refusal that no payment has followed. */
export const sellingOf = read({ agentId: requestRefusals.agentId, owner: 'text' }, (db, $) => {
  const agent = agentOf(db, $.agentId)
  return db
    .select({
      hasEndpoint: sql<boolean>`(${agent.apiEndpoint} is not null)`,
      hasKey: sql<boolean>`exists (select from ${facilitatorKeys} where ${facilitatorKeys.agentId} = ${$.agentId})`,
      credit: balanceOf(agent.owner),
      reason: requestRefusals.reason,
      firstAt: requestRefusals.firstAt,
      lastAt: requestRefusals.lastAt,
    })
    .from(agent)
    .leftJoin(requestRefusals, and(eq(requestRefusals.agentId, agent.id), isNotNull(requestRefusals.firstAt)))
    .where(eq(agent.owner, $.owner))
    .orderBy(desc(requestRefusals.lastAt), requestRefusals.reason)
})

import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { requestRefusals } from '../../../schema/tables/x402.ts'
import { agentOf, requestNeedsOf } from '../../agents/parts/part-queries.ts'
import { read } from '../../db/statement.ts'

/** Reads what an agent lacks to sell requests, with a row for each refusal that no payment has followed. */
export const sellingOf = read({ agentId: requestRefusals.agentId, owner: 'text', fee: 'bigint' }, (db, $) => {
  const agent = agentOf(db, $.agentId)
  return db
    .select({
      missing: requestNeedsOf(agent.id, $.fee),
      reason: requestRefusals.reason,
      firstAt: requestRefusals.firstAt,
      lastAt: requestRefusals.lastAt,
    })
    .from(agent)
    .leftJoin(requestRefusals, and(eq(requestRefusals.agentId, agent.id), isNotNull(requestRefusals.firstAt)))
    .where(eq(agent.owner, $.owner))
    .orderBy(desc(requestRefusals.lastAt), requestRefusals.reason)
})

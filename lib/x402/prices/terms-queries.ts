import { and, asc, eq, isNull, or } from 'drizzle-orm'
import { requestPrices } from '../../../schema/tables/x402.ts'
import { isActiveAgent, ownerOfAgent } from '../../agents/parts/part-queries.ts'
import { read } from '../../db/statement.ts'

/** Reads an agent's current prices, all or only the one with a name, with its owner. */
export const currentPrices = read({ agentId: requestPrices.agentId, name: 'text?' }, (db, $) =>
  db
    .select({
      name: requestPrices.name,
      asset: requestPrices.asset,
      amount: requestPrices.amount,
      owner: ownerOfAgent($.agentId),
      isActive: isActiveAgent($.agentId),
    })
    .from(requestPrices)
    .where(
      and(
        eq(requestPrices.agentId, $.agentId),
        isNull(requestPrices.endedAt),
        or(isNull($.name), eq(requestPrices.name, $.name)),
      ),
    )
    .orderBy(asc(requestPrices.name)),
)

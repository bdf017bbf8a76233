import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { facilitatorKeys, requestPrices } from '../../../schema/tables/x402.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { isActiveAgent, ownerOfAgent } from '../../agents/parts/part-queries.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { balanceOf } from '../../payments/credit/credit-queries.ts'
import type { Price } from '../checks/requirements.ts'

/** A present or recent price, with the state of its agent that decides whether it can be paid. */
type OwnersPrice = Price & {
  owner: Wallet
  isActive: boolean
  /** The version of the agent's newest key. */
  keyVersion: number | null
  /** The owner's credit. */
  credit: bigint
}

const pricesKnown = read({ agentId: requestPrices.agentId, endedAfter: 'timestamptz' }, (db, $) =>
  db
    .select({
      asset: requestPrices.asset,
      amount: requestPrices.amount,
      owner: ownerOfAgent($.agentId),
      isActive: isActiveAgent($.agentId),
      keyVersion: sql<number | null>`(
        select ${facilitatorKeys.keyVersion} from ${facilitatorKeys} where ${facilitatorKeys.agentId} = ${$.agentId})`,
      credit: balanceOf(ownerOfAgent($.agentId)),
    })
    .from(requestPrices)
    .where(
      and(
        eq(requestPrices.agentId, $.agentId),
        or(isNull(requestPrices.endedAt), gt(requestPrices.endedAt, $.endedAfter)),
      ),
    ),
)

/** Reads an agent's prices, and former ones that ended after a time, with the state of the agent. */
export const findPrices = (db: Db, agentId: string, endedAfter: Date): Promise<OwnersPrice[]> =>
  pricesKnown.run(db, { agentId, endedAfter })

import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { requestPrices } from '../../../schema/tables/x402.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ownerOfAgent } from '../../agents/parts/part-queries.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import type { Price } from '../checks/requirements.ts'

/** A price that may be paid, or could be lately, with the agent's owner. */
type OwnersPrice = Price & { owner: Wallet }

const pricesKnown = read({ agentId: requestPrices.agentId, endedAfter: 'timestamptz' }, (db, $) =>
  db
    .select({
      asset: requestPrices.asset,
      amount: requestPrices.amount,
      owner: ownerOfAgent($.agentId),
    })
    .from(requestPrices)
    .where(
      and(
        eq(requestPrices.agentId, $.agentId),
        or(isNull(requestPrices.endedAt), gt(requestPrices.endedAt, $.endedAfter)),
      ),
    ),
)

/** Reads an agent's prices, and former ones that ended after a time. */
export const findPrices = (db: Db, agentId: string, endedAfter: Date): Promise<OwnersPrice[]> =>
  pricesKnown.run(db, { agentId, endedAfter })

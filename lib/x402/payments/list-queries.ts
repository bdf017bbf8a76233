import { and, desc, sql } from 'drizzle-orm'
import { requestPayments } from '../../../schema/tables/x402.ts'
import type { RequestPaymentRole } from '../../../schema/values.ts'
import { endpointOf, nameOfAgent } from '../../agents/parts/part-queries.ts'
import { read } from '../../db/statement.ts'
import { priceUrl } from '../prices/url-queries.ts'

/** Reads payments of a wallet from an id on and before another, newest first. */
export const paymentPage = read(
  {
    wallet: requestPayments.payer,
    firstId: requestPayments.id,
    beforeId: requestPayments.id,
    limit: 'integer',
  },
  (db, $, { role }: { role: RequestPaymentRole }) => {
    // One range of the side's index. With an equation Postgres could walk the index of ids, and read all
    // wallets' payments.
    const side = role === 'owner' ? requestPayments.owner : requestPayments.payer
    return db
      .select({
        id: requestPayments.id,
        agentId: requestPayments.agentId,
        agentName: nameOfAgent(requestPayments.agentId),
        owner: requestPayments.owner,
        payer: requestPayments.payer,
        amount: requestPayments.amount,
        asset: requestPayments.asset,
        priceName: requestPayments.priceName,
        url: priceUrl(requestPayments.priceName, endpointOf(requestPayments.agentId)),
        status: requestPayments.status,
        networkSignature: requestPayments.networkSignature,
        debit: requestPayments.debit,
        createdAt: requestPayments.createdAt,
        resolvedAt: requestPayments.resolvedAt,
      })
      .from(requestPayments)
      .where(
        and(
          sql`(${side}, ${requestPayments.id}) >= (${$.wallet}, ${$.firstId})`,
          sql`(${side}, ${requestPayments.id}) < (${$.wallet}, ${$.beforeId})`,
        ),
      )
      .orderBy(desc(side), desc(requestPayments.id))
      .limit($.limit)
  },
)

export type ListedPayment = Awaited<ReturnType<typeof paymentPage.run>>[number]

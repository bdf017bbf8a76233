import { and, desc, eq, lt } from 'drizzle-orm'
import { requestPayments } from '../../../schema/tables/x402.ts'
import type { RequestPaymentRole } from '../../../schema/values.ts'
import { read } from '../../db/statement.ts'

/** Reads payments of a wallet, newest first, from before an id. */
export const paymentPage = read(
  { wallet: requestPayments.payer, beforeId: requestPayments.id, limit: 'integer' },
  (db, $, { role }: { role: RequestPaymentRole }) =>
    db
      .select({
        id: requestPayments.id,
        agentId: requestPayments.agentId,
        owner: requestPayments.owner,
        payer: requestPayments.payer,
        amount: requestPayments.amount,
        asset: requestPayments.asset,
        status: requestPayments.status,
        networkSignature: requestPayments.networkSignature,
        debit: requestPayments.debit,
        createdAt: requestPayments.createdAt,
        resolvedAt: requestPayments.resolvedAt,
      })
      .from(requestPayments)
      .where(
        and(
          eq(role === 'owner' ? requestPayments.owner : requestPayments.payer, $.wallet),
          lt(requestPayments.id, $.beforeId),
        ),
      )
      .orderBy(desc(requestPayments.id))
      .limit($.limit),
)

export type ListedPayment = Awaited<ReturnType<typeof paymentPage.run>>[number]

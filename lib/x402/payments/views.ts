import type { RequestPaymentRole } from '../../../schema/values.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import type { RequestPayment, RequestPaymentList } from '../../../schema/wire/x402.ts'
import type { ListedPayment } from './list-queries.ts'

/** Returns a payment as one of its sides sees it. Only the owner sees the debit of its credit. */
const paymentView = (payment: ListedPayment, role: RequestPaymentRole): Wire<typeof RequestPayment> => ({
  id: payment.id,
  agentId: payment.agentId,
  owner: payment.owner,
  payer: payment.payer,
  amount: payment.amount,
  asset: payment.asset,
  priceName: payment.priceName ?? undefined,
  url: payment.url ?? undefined,
  status: payment.status,
  signature: payment.networkSignature,
  debit: role === 'owner' ? payment.debit : undefined,
  createdAt: payment.createdAt.toISOString(),
  resolvedAt: payment.resolvedAt?.toISOString(),
})

/** Returns one page of payments, with the next page's cursor. */
export const paymentListView = (
  page: { payments: ListedPayment[]; nextCursor?: string },
  role: RequestPaymentRole,
): Wire<typeof RequestPaymentList> => ({
  payments: page.payments.map((payment) => paymentView(payment, role)),
  count: page.payments.length,
  nextCursor: page.nextCursor,
})

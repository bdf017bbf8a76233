import type { RequestPaymentRole } from '../../../schema/values.ts'
import type { ListedPayment } from './list-queries.ts'

/** Returns the row of a payment as one of its sides sees it. Only the owner sees the debit of its credit. */
export const paymentRow = (payment: ListedPayment, role: RequestPaymentRole) => ({
  ...payment,
  signature: payment.networkSignature,
  debit: role === 'owner' ? payment.debit : undefined,
})

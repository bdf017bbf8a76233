import * as v from 'valibot'
import type { RequestPaymentRole } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { makeCursor, pageOf, readCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { idRange } from '../../id-range.ts'
import { type ListedPayment, paymentPage } from './list-queries.ts'

/** Filters payments by the wallet's side, and by when they were recorded. */
type PaymentFilter = { role: RequestPaymentRole; since?: Date | undefined; until?: Date | undefined }

const CursorParts = v.strictTuple([v.pipe(v.string(), v.uuid())])

/**
 * Lists one page of a wallet's payments for requests, as owner or as payer, newest first.
 * @throws ApiError `invalid_request` for a cursor that this list did not issue
 */
export async function listPayments(
  { db }: { db: Db },
  wallet: Wallet,
  { role, limit, cursor, ...time }: PaymentFilter & { limit: number; cursor?: string | undefined },
): Promise<{ payments: ListedPayment[]; nextCursor?: string }> {
  const [beforeId] = cursor === undefined ? [] : readCursor(CursorParts, cursor)
  const ids = idRange({ ...time, beforeId })
  const read = await paymentPage.run(db, { wallet, ...ids, limit: limit + 1 }, { role })
  const { rows: payments, last, hasMore } = pageOf(read, limit)
  return hasMore && last ? { payments, nextCursor: makeCursor([last.id]) } : { payments }
}

/** Returns the row of a payment as one of its sides sees it. Only the owner sees the debit of its credit. */
export const paymentRow = (payment: ListedPayment, role: RequestPaymentRole) => ({
  ...payment,
  signature: payment.networkSignature,
  debit: role === 'owner' ? payment.debit : undefined,
})

import type { PaymentTotals } from '../../../client/generated/types.ts'

type Sum = Pick<PaymentTotals['kinds'][number], 'kind' | 'asset' | 'payments' | 'amount' | 'fee' | 'debit'>

/** The payments of several sums in CRED: what was paid, and what its owner has received of it. */
type CredSum = { payments: number; amount: bigint; fee: bigint; net: bigint }

/** Adds up sums in CRED; other coins have units of their own. */
export function credSum(sums: readonly Sum[]): CredSum {
  const inCred = sums.filter(({ asset }) => asset === undefined)
  const total = (of: (sum: Sum) => bigint) => inCred.reduce((all, sum) => all + of(sum), 0n)
  const [amount, fee] = [total((sum) => sum.amount), total((sum) => sum.fee ?? 0n)]
  return { payments: inCred.reduce((all, sum) => all + sum.payments, 0), amount, fee, net: amount - fee }
}

/** Adds up the sums of a month. */
export const sumOfMonth = (totals: Pick<PaymentTotals, 'months'>, month: string): CredSum =>
  credSum(totals.months.filter((sum) => sum.month === month))

import type { PaymentTotals } from '../../../client/generated/types.ts'
import { formatNumber } from '../../locale.ts'

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

type AgentSum = PaymentTotals['agents'][number]

/** Adds up the sums of each agent over what it was paid for, in each coin, in their order. */
export const byAgent = (sums: readonly AgentSum[]) =>
  [...Map.groupBy(sums, ({ agentId, asset }) => `${agentId} ${asset}`)].flatMap(
    ([key, [first, ...others]]) => {
      if (!first) return []
      const all = [first, ...others]
      const total = (of: (sum: AgentSum) => bigint | undefined) =>
        all.some((sum) => of(sum) !== undefined)
          ? all.reduce((sum, one) => sum + (of(one) ?? 0n), 0n)
          : undefined
      return {
        key,
        ...{ agentId: first.agentId, agentName: first.agentName, asset: first.asset },
        words: all.map(paidWords).join(', '),
        amount: total(({ amount }) => amount) ?? 0n,
        thisMonth: total(({ thisMonth }) => thisMonth) ?? 0n,
        fee: total(({ fee }) => fee),
        debit: total(({ debit }) => debit),
      }
    },
  )

/** Says what payments were for: `2 charges`. */
export const paidWords = ({ payments, kind }: Pick<Sum, 'payments' | 'kind'>): string =>
  `${formatNumber(payments)} ${kind}${payments === 1 ? '' : 's'}`

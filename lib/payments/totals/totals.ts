import { type ChargeRole, TOTALS_MONTHS } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import { PaymentTotals } from '../../../schema/wire/payment-totals.ts'
import { answer } from '../../answer.ts'
import type { Db } from '../../db/connect.ts'
import { type PaidSum, selectTotalsOf } from './totals-queries.ts'

/**
 * Reads what a wallet's agents were paid, or what it has paid, and what is due. The paid sums are running
 * totals, so it reads no list. Makes one database call.
 */
export async function readTotals(
  { db, now }: { db: Db; now: Date },
  wallet: Wallet,
  role: ChargeRole,
): Promise<Wire<typeof PaymentTotals>> {
  const [kinds, months, agents, [unpaid], [ofJobs]] = await selectTotalsOf(db, {
    ...{ wallet, role, now },
    firstMonth: startOfMonth(now, TOTALS_MONTHS - 1),
    thisMonth: startOfMonth(now),
  })
  if (!unpaid || !ofJobs) throw new Error('a sum has no row')
  const shown = <Sum extends PaidSum>(sum: Sum) => sumRow(sum, role)
  return answer(PaymentTotals, {
    role,
    kinds: kinds.map(shown),
    months: months.map(shown).map((sum) => ({ ...sum, month: sum.month.slice(0, 'YYYY-MM'.length) })),
    agents: agents.map(shown),
    ...unpaid,
    ...ofJobs,
  })
}

/** Returns the first day of the month in UTC, so many months before that of `now`: `2026-11-01`. */
const startOfMonth = (now: Date, before = 0): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, 1)).toISOString().slice(0, 10)

/** Names a sum's fee by its kind. Only the owner sees the debit of its credit. */
const sumRow = <Sum extends PaidSum>(sum: Sum, role: ChargeRole) => ({
  ...sum,
  asset: sum.coin === '' ? undefined : sum.coin,
  fee: sum.kind === 'request' ? undefined : sum.fee,
  debit: sum.kind === 'request' && role === 'owner' ? sum.fee : undefined,
})

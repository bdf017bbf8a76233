import { useMemo } from 'preact/hooks'
import type { Charge, Hire } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { Chart } from '../../kit/chart.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { spendOf } from './spend.ts'

/** Shows the charges of a hire's present period over time, against its spending limit. */
export function SpendChart({ hire, charges }: { hire: Hire; charges: readonly Charge[] }) {
  const { now } = useConnection()
  const { budgetLimit } = hire
  const { xs, series } = useMemo(() => {
    const { xs, spent } = spendOf(hire, charges, now())
    const limit = budgetLimit === undefined ? undefined : Number(budgetLimit) / 1e9
    return {
      xs,
      series: [
        { label: 'Charged', values: spent, isStepped: true },
        ...(limit === undefined ? [] : [{ label: 'Spending limit', values: xs.map(() => limit) }]),
      ],
    }
  }, [hire, charges, budgetLimit])
  const spent = `${formatCred(hire.spent)} CRED charged this period`
  const summary =
    budgetLimit === undefined ? `${spent}.` : `${spent}, of a ${formatCred(budgetLimit)} CRED limit.`
  // One charge has no course.
  if (charges.length < 2) return <p class="small">{summary}</p>
  return <Chart xs={xs} series={series} unit="CRED" summary={summary} />
}

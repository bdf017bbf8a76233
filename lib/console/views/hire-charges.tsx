import { useMemo } from 'preact/hooks'
import type { Charge, Hire } from '../../client/generated/types.ts'
import { formatCred } from '../kit/amounts.ts'
import { Chart } from '../kit/chart.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { Charges } from './charges.tsx'
import { spendOf } from './spend.ts'

/** What was charged on a hire, as its hirer sees it, with a picture of the present period. */
export const HireCharges = ({ hire }: { hire: Hire }) => (
  <Charges query={{ role: 'hirer', hireId: hire.id }}>
    {(charges) => <SpendChart hire={hire} charges={charges} />}
  </Charges>
)

function SpendChart({ hire, charges }: { hire: Hire; charges: readonly Charge[] }) {
  const { now } = useConnection()
  const { budgetLimit } = hire
  const { xs, series } = useMemo(() => {
    const { xs, spent } = spendOf(hire, charges, now())
    const limit = budgetLimit === undefined ? undefined : Number(budgetLimit) / 1e9
    return {
      xs,
      series: [
        { label: 'Charged', values: spent, isStepped: true },
        ...(limit === undefined ? [] : [{ label: 'Budget', values: xs.map(() => limit) }]),
      ],
    }
  }, [hire, charges, budgetLimit])
  const spent = `${formatCred(hire.spent)} CRED were charged in this period`
  return (
    <Chart
      xs={xs}
      series={series}
      unit="CRED"
      summary={budgetLimit === undefined ? `${spent}.` : `${spent}, of ${formatCred(budgetLimit)} CRED.`}
    />
  )
}

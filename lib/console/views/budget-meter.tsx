import type { Hire } from '../../client/generated/types.ts'
import { shareOf } from '../kit/amounts.ts'
import { Cred, Time } from '../kit/text.tsx'

/** What was charged in the present period, against its budget. */
export function BudgetMeter({
  hire: { spent, budgetLimit, period },
}: {
  hire: Pick<Hire, 'spent' | 'budgetLimit' | 'period'>
}) {
  return (
    <>
      {budgetLimit !== undefined && (
        <meter
          aria-label="Share of the budget that is spent"
          max={1}
          high={0.8}
          optimum={0}
          value={shareOf(spent, budgetLimit)}
        />
      )}
      <p class="small">
        <Cred amount={spent} /> charged
        {budgetLimit === undefined ? (
          ', without a limit'
        ) : (
          <>
            {' '}
            of <Cred amount={budgetLimit} />
          </>
        )}{' '}
        from <Time at={period.start} /> to <Time at={period.end} />
      </p>
    </>
  )
}

import type { Hire } from '../../../client/generated/types.ts'
import { shareOf } from '../../kit/amounts.ts'
import { Badge, Cred, Time } from '../../kit/text.tsx'

const WORDS = { active: 'running', expired: 'term over', terminated: 'ended early' } as const

/** Whether a hire runs. */
export const HireStatus = ({ hire: { status } }: { hire: Pick<Hire, 'status'> }) => (
  <Badge tone={status === 'active' ? 'good' : 'plain'}>{WORDS[status]}</Badge>
)

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

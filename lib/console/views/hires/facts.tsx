import type { Budget, Hire } from '../../../client/generated/types.ts'
import { shareOf } from '../../kit/amounts.ts'
import { Badge, Cred, Time } from '../../kit/text.tsx'

const WORDS = { active: 'active', expired: 'expired', terminated: 'ended early' } as const

/** The status of a hire. */
export const HireStatus = ({ hire: { status } }: { hire: Pick<Hire, 'status'> }) => (
  <Badge tone={status === 'active' ? 'good' : 'plain'}>{WORDS[status]}</Badge>
)

/** Shows the charges of the present period against its budget. */
export function BudgetMeter({
  hire: { spent, budgetLimit, period },
}: {
  hire: Pick<Hire, 'spent' | 'budgetLimit' | 'period'>
}) {
  return (
    <>
      {budgetLimit !== undefined && (
        <meter
          aria-label="Share of the spending limit used"
          max={1}
          high={0.8}
          optimum={0}
          value={shareOf(spent, budgetLimit)}
        />
      )}
      <p class="small">
        <Cred amount={spent} /> charged
        {budgetLimit === undefined ? (
          ', no spending limit'
        ) : (
          <>
            {' '}
            of <Cred amount={budgetLimit} /> limit
          </>
        )}
        , <Time at={period.start} /> to <Time at={period.end} />
      </p>
    </>
  )
}

const BUDGET_STATES = {
  absent: 'not funded',
  frozen: 'frozen',
  foreign: 'replaced by another account',
} as const

/** Why nothing can be paid from a hire budget; nothing for one that is open. */
export const BudgetStatus = ({ budget: { status } }: { budget: Pick<Budget, 'status'> }) =>
  status === 'open' ? null : <Badge tone="warn">{BUDGET_STATES[status]}</Badge>

/** Whether a hire budget pays for all charges that are due. */
export const Covered = ({ budget: { covered } }: { budget: Pick<Budget, 'covered'> }) => (
  <Badge tone={covered ? 'good' : 'warn'}>{covered ? 'fully funded' : 'not enough funds'}</Badge>
)

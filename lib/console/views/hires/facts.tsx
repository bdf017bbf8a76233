import type { Budget, Hire } from '../../../client/generated/types.ts'
import { shareOf } from '../../kit/amounts.ts'
import { SelectField } from '../../kit/inputs.tsx'
import { Badge, Cred, Time } from '../../kit/text.tsx'
import { show } from '../../router.ts'

const WORDS = { active: 'active', expired: 'expired', terminated: 'ended early' } as const

/** The status of a hire. */
export const HireStatus = ({ hire: { status } }: { hire: Pick<Hire, 'status'> }) => (
  <Badge tone={status === 'active' ? 'good' : 'plain'}>{WORDS[status]}</Badge>
)

/** The choices of a filter by status. */
const CHOICES = {
  all: 'All',
  active: 'Active',
  expired: 'Expired',
  terminated: 'Ended early',
} as const

/** Returns the status that an address filters by; undefined for all. */
export function statusOf(query: URLSearchParams): Hire['status'] | undefined {
  const status = query.get('status') ?? ''
  return status in WORDS ? (status as Hire['status']) : undefined
}

/**
 * Filters a list of hires by their status, which the address has.
 * @param view the address of the view, without a query
 */
export const StatusFilter = ({ view, status }: { view: string; status: Hire['status'] | undefined }) => (
  <SelectField
    name="status"
    label="Status"
    choices={CHOICES}
    value={status ?? 'all'}
    change={(choice) => show(choice === 'all' ? view : `${view}?status=${choice}`, { replace: true })}
  />
)

/** Shows when a hire ends, has ended or is renewed. */
export const Term = ({
  hire: { endedAt, autoRenew, expiresAt },
}: {
  hire: Pick<Hire, 'endedAt' | 'autoRenew' | 'expiresAt'>
}) => (
  <p class="small">
    {endedAt ? 'Ended' : autoRenew ? 'Renews' : 'Ends'} <Time at={endedAt ?? expiresAt} />
  </p>
)

/**
 * Shows the charges of the present period against its budget.
 * @param isBrief leaves out when the period begins and ends
 */
export function BudgetMeter({
  hire: { spent, budgetLimit, period },
  isBrief = false,
}: {
  hire: Pick<Hire, 'spent' | 'budgetLimit' | 'period'>
  isBrief?: boolean
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
        {!isBrief && (
          <>
            , <Time at={period.start} /> to <Time at={period.end} />
          </>
        )}
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

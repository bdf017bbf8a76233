import { useState } from 'preact/hooks'
import { DAY_MS } from '../clock.ts'
import { useConnection } from '../wallet/connection.tsx'
import { AmountField, CheckField, ChecksField, SelectField, useAmount } from './inputs.tsx'
import { type GrantablePermission, permissionLabel, READING } from './permissions.ts'
import { Time } from './text.tsx'

/** How long a connection is offered to last at first, in days. */
const FIRST_DAYS = 30

/**
 * The state of the fields in which a visitor chooses what a connection may do. `choices` has no spending
 * limit if it may not hire, or if its hires have none.
 * @param ticked the permissions that are ticked at first
 */
export function useAllowance<Days extends number>(ticked: readonly GrantablePermission[]) {
  const [permissions, setPermissions] = useState<GrantablePermission[]>([...ticked])
  const limit = useAmount('100')
  const [isUnlimited, setUnlimited] = useState(false)
  const [days, setDays] = useState(FIRST_DAYS as Days)
  const mayHire = permissions.includes('agents:hire')
  return {
    choices: { permissions, spendLimit: mayHire && !isUnlimited ? limit.amount : undefined, days },
    isComplete: !mayHire || isUnlimited || limit.amount !== undefined,
    mayHire,
    setPermissions,
    limit,
    isUnlimited,
    setUnlimited,
    setDays,
  }
}

/**
 * The fields in which a visitor chooses what a connection may do, its spending limit and its end.
 * @param offered the permissions to choose from
 * @param label the heading of the permissions
 * @param terms the numbers of days to choose from
 */
export function AllowanceFields<Days extends number>({
  allowance: { choices, mayHire, setPermissions, limit, isUnlimited, setUnlimited, setDays },
  offered,
  label,
  terms,
}: {
  allowance: ReturnType<typeof useAllowance<Days>>
  offered: readonly GrantablePermission[]
  label: string
  terms: readonly Days[]
}) {
  const { now } = useConnection()
  const { permissions, days } = choices
  return (
    <>
      <p>{READING}.</p>
      {offered.length > 0 && (
        <ChecksField
          name="permissions"
          label={label}
          choices={offered}
          labelOf={permissionLabel}
          value={permissions}
          change={setPermissions}
        />
      )}
      {mayHire && (
        <>
          {!isUnlimited && (
            <AmountField
              name="spendLimit"
              label="Spending limit in total, in CRED"
              hint="The budgets of all agents that it hires add up to at most this."
              {...limit}
            />
          )}
          <CheckField label="No spending limit" isChecked={isUnlimited} change={setUnlimited} />
        </>
      )}
      <p>It can’t move funds: every payment needs a signature in your wallet.</p>
      <SelectField<string>
        name="days"
        label="For how long"
        choices={Object.fromEntries(terms.map((term) => [term, term === 1 ? '1 day' : `${term} days`]))}
        value={`${days}`}
        change={(term) => setDays(Number(term) as Days)}
        hint={
          <>
            Until <Time at={new Date(now() + days * DAY_MS).toISOString()} />. You can end it earlier under
            “Connected apps” in the wallet menu.
          </>
        }
      />
    </>
  )
}

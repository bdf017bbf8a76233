import type { Budget, Hire } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { Confirmed } from '../../kit/disclosure.tsx'
import { useConnection } from '../../wallet/connection.tsx'

/**
 * Ends a hire, for either side.
 * @param budget the hirer's hire budget, which the hirer takes back; undefined for the owner
 * @param takeBack begins its withdrawal, after the end
 */
export function EndHire({
  hire,
  budget,
  takeBack,
  onEnded,
}: {
  hire: Hire
  budget?: Budget | undefined
  takeBack?: () => void
  onEnded: () => void
}) {
  const { client } = useConnection()
  const isFunded = canTakeBack(budget)
  return (
    <Confirmed
      label={isFunded ? `End hire and take back ${formatCred(budget.balance)} CRED` : 'End hire'}
      question={questionOf(isFunded ? budget : undefined)}
      action={async () => {
        await client.call('DELETE /agents/hire', { query: { id: hire.id } })
        onEnded()
        if (isFunded) takeBack?.()
      }}
    />
  )
}

/** Whether a hire budget has CRED that its hirer can take back. */
export const canTakeBack = (budget: Budget | undefined): budget is Budget =>
  budget?.status === 'open' && budget.balance > 0n

/** Says what the end of a hire does; with a budget also what its withdrawal does. */
function questionOf(budget: Budget | undefined): string {
  const end = 'The hire ends now and can’t be resumed. The other side is notified.'
  if (!budget) return `${end} Existing charges can be collected for 30 more days.`
  const { balance, unpaid } = budget
  const back = `${end} Then your wallet asks you to approve the return of ${formatCred(balance)} CRED.`
  return unpaid > 0n
    ? `${back} Charges of ${formatCred(unpaid)} CRED are not paid yet, and nothing will be left to pay them.`
    : back
}

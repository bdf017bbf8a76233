import type { Budget, Hire } from '../../../client/generated/types.ts'
import { Button } from '../../kit/button.tsx'
import { Form } from '../../kit/form.tsx'
import { AmountField, useAmount } from '../../kit/inputs.tsx'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Steps } from '../../kit/steps.tsx'
import { Cred, Wallet } from '../../kit/text.tsx'
import { useTransaction } from '../../kit/transaction.tsx'
import { ofHire } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { remembered } from '../../wallet/remembered.ts'
import { BudgetStatus, Covered } from './facts.tsx'

/** The hirer's own account that pays for a hire, with forms to fund and to withdraw at any time. */
export function BudgetAccount({ hire }: { hire: Hire }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    hire.id,
    async (signal) => {
      const query = { hireId: hire.id }
      const { budgets } = await client.call('GET /payments/budgets', { query, signal })
      return { budget: budgets[0] }
    },
    ofHire(hire.id, 'budget', 'charge'),
  )
  return (
    <Show loaded={loaded} reload={reload}>
      {({ budget }) => (
        <>
          {budget && budget.status !== 'absent' ? (
            <State budget={budget} />
          ) : (
            <p>
              Not funded yet.
              {hire.status === 'active' &&
                ' Add CRED to pay for work. The hire budget is an account of your own, and you can withdraw at any time.'}
            </p>
          )}
          <Moves hire={hire} budget={budget} onChanged={reload} />
        </>
      )}
    </Show>
  )
}

const State = ({ budget }: { budget: Budget }) => (
  <dl>
    <dt>Balance</dt>
    <dd>
      <Cred amount={budget.balance} />
    </dd>
    <dt>Can be collected</dt>
    <dd>
      <Cred amount={budget.allowance} />
    </dd>
    <dt>Due</dt>
    <dd>
      <Cred amount={budget.unpaid} /> {budget.unpaid > 0n && <Covered budget={budget} />}
    </dd>
    <dt>Account</dt>
    <dd>
      <Wallet address={budget.address} /> <BudgetStatus budget={budget} />
    </dd>
  </dl>
)

/** Funding and withdrawing. Each is a transaction, whose steps are shown. */
function Moves({
  hire,
  budget,
  onChanged,
}: {
  hire: Hire
  budget: Budget | undefined
  onChanged: () => void
}) {
  const { client } = useConnection()
  const typed = useAmount('10')
  const { amount } = typed
  const { run, check, start, isBusy } = useTransaction(`budget ${hire.id}`, onChanged)
  const isOpen = budget?.status === 'open'
  async function fund() {
    // The owner that was shown when hiring: the service can't name another one later.
    const owner = remembered.owner(hire.id) ?? hire.agent.pubkey
    if (amount !== undefined) start((flow) => client.fund({ hireId: hire.id, amount, owner }, flow))
  }
  return (
    <>
      {hire.status === 'active' && (
        <Form action={fund} label={isOpen ? 'Add funds' : 'Fund hire budget'} isDisabled={!amount || isBusy}>
          <AmountField
            name="amount"
            label="Amount in CRED"
            hint="The agent’s owner is paid from it only for charges, and only together with the service."
            {...typed}
          />
        </Form>
      )}
      {isOpen && (
        <p>
          <Button isBusy={isBusy} onClick={() => start((flow) => client.withdraw({ hireId: hire.id }, flow))}>
            Withdraw all
          </Button>
        </p>
      )}
      <Steps run={run} check={check} />
    </>
  )
}

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Budget, Hire } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { amountText } from '../../kit/amounts.ts'
import { Button } from '../../kit/button.tsx'
import { shortOf } from '../../kit/due.ts'
import { Form } from '../../kit/form.tsx'
import { InWallet, tooMuchFor, useInWallet } from '../../kit/in-wallet.tsx'
import { AmountField, useAmount } from '../../kit/inputs.tsx'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Steps } from '../../kit/steps.tsx'
import { Cred, Link, Wallet } from '../../kit/text.tsx'
import { useTransaction } from '../../kit/transaction.tsx'
import { ofHire } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { remembered } from '../../wallet/remembered.ts'
import { canTakeBack, EndHire } from './end.tsx'
import { BudgetStatus, Covered } from './facts.tsx'

/** The hire budget, as the agent's owner sees it: whether it pays for what is due. */
export function HirerBudget({ hire }: { hire: Hire }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    hire.id,
    async (signal) => {
      const query = { role: 'owner', hireId: hire.id } as const
      const { budgets } = await client.call('GET /payments/budgets', { query, signal })
      return { budget: budgets[0] }
    },
    ofHire(hire.id, 'budget', 'charge'),
  )
  return (
    <section aria-labelledby="budget">
      <h2 id="budget">Hire budget</h2>
      <Show loaded={loaded} reload={reload}>
        {({ budget }) => (
          <>
            {budget && shortOf(budget) > 0n && (
              <p class="notice">
                The hire budget lacks <Cred amount={shortOf(budget)} /> to pay what is due. You can collect it
                once the hirer adds funds.
              </p>
            )}
            <Account budget={budget} isActive={false} />
            {budget && budget.status === 'open' && budget.unpaid > 0n && (
              <p>
                <Link to="earnings?side=owner">Collect under Money</Link>
              </p>
            )}
          </>
        )}
      </Show>
    </section>
  )
}

/**
 * The hirer's own account that pays for a hire: the amounts due, to fund and left. It can be funded and taken
 * back, and the hire ended.
 */
export function HireBudget({ hire, onEnded }: { hire: Hire; onEnded: () => void }) {
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
  const budget = 'data' in loaded ? loaded.data?.budget : undefined
  const short = budget ? shortOf(budget) : 0n
  const { typed, clear } = useFilledAmount(short)
  const inWallet = useInWallet()
  const {
    run,
    check,
    start,
    clear: forget,
    isBusy,
  } = useTransaction(`budget ${hire.id}`, () => {
    clear()
    reload()
  })
  // The budget's balance once the funding is confirmed, if nothing of it is paid on.
  const [expected, setExpected] = useState<bigint>()
  const paidOn = expected !== undefined && budget && run.state === 'landed' ? expected - budget.balance : 0n
  const takeBack = () => {
    setExpected(undefined)
    start((flow) => client.withdraw({ hireId: hire.id }, flow))
  }
  async function fund() {
    const { amount } = typed
    // The owner that was shown when hiring: the service can't name another one later.
    const owner = remembered.owner(hire.id) ?? hire.agent.pubkey
    if (amount === undefined) return
    setExpected((budget?.balance ?? 0n) + amount)
    start((flow) => client.fund({ hireId: hire.id, amount, owner }, flow))
  }
  const isActive = hire.status === 'active'
  return (
    <section aria-labelledby="budget">
      <h2 id="budget">Hire budget</h2>
      <Show loaded={loaded} reload={reload}>
        {({ budget }) => (
          <>
            {!isActive && canTakeBack(budget) && (
              <div class="notice">
                <p>
                  <strong>
                    <Cred amount={budget.balance} /> left.
                  </strong>{' '}
                  The hire has ended, and the rest of its budget is yours.
                  {budget.unpaid > 0n &&
                    ` Charges of ${formatCred(budget.unpaid)} CRED are not paid yet, and nothing will be left to pay them.`}
                </p>
                <Button class="primary" isBusy={isBusy} onClick={takeBack}>
                  {takeBackWords(budget)}
                </Button>
              </div>
            )}
            {short > 0n && (
              <div class="notice">
                <p>
                  <strong>
                    <Cred amount={short} /> to fund.
                  </strong>{' '}
                  The hire budget can’t pay all charges that are due. Add funds, so that the agent’s owner can
                  be paid.
                </p>
              </div>
            )}
            <Account budget={budget} isActive={isActive} />
            {(isActive || short > 0n) && (
              <Form
                action={fund}
                label={short > 0n || budget?.status !== 'open' ? 'Fund' : 'Add funds'}
                isDisabled={isBusy}
              >
                <AmountField
                  name="amount"
                  label="Amount in CRED"
                  min={1n}
                  isRequired
                  hint={
                    <>
                      <InWallet cred={inWallet} />{' '}
                      {hire.remaining !== undefined &&
                        `${formatCred(hire.remaining)} CRED of the spending limit are left in this period. `}
                      The agent’s owner is paid from it for charges only.
                    </>
                  }
                  problem={tooMuchFor(typed.amount, inWallet)}
                  {...typed}
                />
              </Form>
            )}
            {isActive && canTakeBack(budget) && (
              <p>
                <Button isBusy={isBusy} onClick={takeBack}>
                  {takeBackWords(budget)}
                </Button>
              </p>
            )}
          </>
        )}
      </Show>
      {isActive && (
        <p>
          <EndHire
            hire={hire}
            budget={budget}
            takeBack={takeBack}
            onEnded={() => {
              // A funding that failed is of no more use.
              forget()
              onEnded()
            }}
          />
        </p>
      )}
      <Steps run={run} check={check} />
      {paidOn > 0n && budget?.unpaid === 0n && (
        <p role="status">
          <Cred amount={paidOn} /> of it paid the agent’s owner for charges.
        </p>
      )}
    </section>
  )
}

const takeBackWords = ({ balance }: Budget): string => `Take back ${formatCred(balance)} CRED`

/** The state of an amount's field. Whenever another sum is to fund, it is filled in, unless the visitor has typed one. */
function useFilledAmount(short: bigint) {
  const typed = useAmount()
  const filled = useRef('')
  useEffect(() => {
    if (typed.value !== filled.current) return
    filled.current = short > 0n ? amountText(short) : ''
    typed.change(filled.current)
  }, [short])
  const clear = () => {
    filled.current = ''
    typed.change('')
  }
  return { typed, clear }
}

const Account = ({ budget, isActive }: { budget: Budget | undefined; isActive: boolean }) =>
  budget && budget.status !== 'absent' ? (
    <dl>
      <dt>Balance</dt>
      <dd>
        <Cred amount={budget.balance} />
      </dd>
      <dt>Reserved for charges</dt>
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
  ) : (
    <p>
      The hire budget is empty.
      {isActive &&
        (budget && budget.unpaid > 0n
          ? ' What is due is paid from what you add. You can take back the rest at any time.'
          : ' Add CRED to pay for work. It waits in an account of your own until a charge is collected, and you can take back the rest at any time.')}
    </p>
  )

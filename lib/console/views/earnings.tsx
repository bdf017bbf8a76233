import { useState } from 'preact/hooks'
import type { Budget } from '../../client/generated/types.ts'
import { Button } from '../kit/button.tsx'
import { SelectField } from '../kit/inputs.tsx'
import { Empty, Show } from '../kit/loaded.tsx'
import { Listed, NeedsWallet, Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Steps } from '../kit/steps.tsx'
import { Cred, Link, Wallet } from '../kit/text.tsx'
import { useTransaction } from '../kit/transaction.tsx'
import { LEFT_OUT } from '../left-out.ts'
import { ofKinds } from '../live/about.ts'
import { useConnection } from '../wallet/connection.tsx'
import { Charges } from './hires/charges.tsx'
import { BudgetStatus, Covered } from './hires/facts.tsx'

/** Shows what the wallet's agents have earned, and collects it. */
export default function EarningsView() {
  return (
    <Page
      title="Earnings"
      lead="Collect what hirers owe for your agents’ work. To charge a hirer, open the agent’s page."
    >
      {!LEFT_OUT.includes('selling') && (
        <p>
          Paid per request? <Link to="agents/selling">Sell requests</Link>: each payment goes straight to your
          wallet, so there is nothing to collect.
        </p>
      )}
      <NeedsWallet why="Connect a wallet to see your earnings.">
        {(owner) => <Owner key={owner} />}
      </NeedsWallet>
    </Page>
  )
}

function Owner() {
  const [reloads, setReloads] = useState(0)
  return (
    <>
      <Collector />
      <Accounts onCollected={() => setReloads(reloads + 1)} />
      <AllCharges reloads={reloads} />
    </>
  )
}

const STATUSES = { all: 'All', recorded: 'Due', collected: 'Paid', voided: 'Voided' } as const

function AllCharges({ reloads }: { reloads: number }) {
  const [status, setStatus] = useState<keyof typeof STATUSES>('all')
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">Charges</h2>
      <div class="row">
        <SelectField name="status" label="Status" choices={STATUSES} value={status} change={setStatus} />
      </div>
      <Charges query={{ role: 'owner', ...(status !== 'all' && { status }) }} reloads={reloads} />
    </section>
  )
}

/** Shows the payout account. An owner needs one before anybody can fund a budget account for its agents. */
function Collector() {
  const { client, address = '' } = useConnection()
  const { loaded, reload } = useLoaded(address, async (signal) => {
    const query = { role: 'owner', limit: 1 } as const
    return await client.call('GET /payments/budgets', { query, signal })
  })
  const { run, check, start, isBusy } = useTransaction('collector', reload)
  return (
    <section aria-labelledby="collector">
      <h2 id="collector">Payout account</h2>
      <p>
        Hirers can fund their hire budgets once you have a payout account. One account covers all your agents.
        Every payout needs your signature and the service’s.
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ collector }) =>
          collector && collector.status !== 'absent' ? (
            <p role="status">
              {collector.status === 'open'
                ? 'Payouts are set up: '
                : 'Your payout address is taken by another account and can’t be changed. Use a different wallet: '}
              <Wallet address={collector.address} />
            </p>
          ) : (
            <Button isBusy={isBusy} onClick={() => start((flow) => client.openCollector(flow))}>
              Set up payouts
            </Button>
          )
        }
      </Show>
      <Steps run={run} check={check} />
    </section>
  )
}

/** Lists the accounts of the wallet's hirers, with the sum due from each, and collects it. */
function Accounts({ onCollected }: { onCollected: () => void }) {
  const { client, address = '' } = useConnection()
  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts">Hire budgets</h2>
      <Listed
        listKey={address}
        shape="cards"
        ask={async (cursor, signal) => {
          const query = { role: 'owner', cursor } as const
          const { budgets, nextCursor } = await client.call('GET /payments/budgets', { query, signal })
          return { entries: budgets, nextCursor }
        }}
        isAbout={ofKinds('budget', 'charge')}
        empty={
          <Empty title="No hirer has funded a hire budget yet.">
            <p>You can charge for work now and collect once the hirer adds funds.</p>
          </Empty>
        }
      >
        {(budgets, reload) => (
          <Collecting
            budgets={budgets}
            onCollected={() => {
              reload()
              onCollected()
            }}
          />
        )}
      </Listed>
    </section>
  )
}

/** The accounts, with a button to collect from each, and from all. */
function Collecting({ budgets, onCollected }: { budgets: readonly Budget[]; onCollected: () => void }) {
  const { client } = useConnection()
  const { run, check, start, isBusy } = useTransaction('collect', onCollected)
  const collect = (hireId?: string) => start((flow) => client.collect({ hireId }, flow), hireId)
  return (
    <>
      <ul class="cards" aria-label="Hire budgets">
        {budgets.map((budget) => (
          <li key={budget.hireId} class="card">
            <Account budget={budget} />
            <Button isBusy={isBusy} isDisabled={!canPay(budget)} onClick={() => collect(budget.hireId)}>
              Collect
            </Button>
            {run.place === budget.hireId && <Steps run={run} check={check} />}
          </li>
        ))}
      </ul>
      {budgets.length > 1 && (
        <Button class="primary" isBusy={isBusy} isDisabled={!budgets.some(canPay)} onClick={() => collect()}>
          Collect all
        </Button>
      )}
      {!budgets.some(({ hireId }) => run.place === hireId) && <Steps run={run} check={check} />}
    </>
  )
}

/** Returns whether a sum is due from an account that exists. */
const canPay = ({ unpaid, status }: Budget): boolean => unpaid > 0n && status === 'open'

const Account = ({ budget }: { budget: Budget }) => (
  <>
    <h3>
      <Wallet address={budget.hirer} /> <BudgetStatus budget={budget} />
    </h3>
    <dl>
      <dt>Due</dt>
      <dd>
        <Cred amount={budget.unpaid} />
      </dd>
      <dt>Unpaid charges</dt>
      <dd>{budget.unpaidCharges}</dd>
      <dt>Hirer’s balance</dt>
      <dd>
        <Cred amount={budget.balance} />
      </dd>
      <dt>You can collect up to</dt>
      <dd>
        <Cred amount={budget.allowance} />
      </dd>
    </dl>
    {budget.unpaid > 0n && (
      <p>
        <Covered budget={budget} />
      </p>
    )}
    <p class="small">
      <Link to={`agents/${budget.agentId}`}>View agent</Link>
    </p>
  </>
)

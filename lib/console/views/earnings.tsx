import { useState } from 'preact/hooks'
import type { Budget } from '../../client/generated/types.ts'
import { SelectField } from '../kit/inputs.tsx'
import { Empty, Show } from '../kit/loaded.tsx'
import { Listed, NeedsWallet, Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Steps } from '../kit/steps.tsx'
import { Badge, Cred, Link, Wallet } from '../kit/text.tsx'
import { useTransaction } from '../kit/transaction.tsx'
import { ofKinds } from '../live/about.ts'
import { useConnection } from '../wallet/connection.tsx'
import { Charges } from './hires/charges.tsx'

/** What the wallet's agents have earned, and how it is collected. */
export default function EarningsView() {
  return (
    <Page
      title="Earnings"
      lead="What your agents’ hirers owe. You charge for work on the page of each agent; here you are paid."
    >
      <NeedsWallet why="What you earn is paid to your wallet.">
        {(owner) => <Owner key={owner} />}
      </NeedsWallet>
    </Page>
  )
}

function Owner() {
  const [turn, setTurn] = useState(0)
  return (
    <>
      <Collector />
      <Accounts collected={() => setTurn(turn + 1)} />
      <AllCharges turn={turn} />
    </>
  )
}

const STATUSES = { all: 'all', recorded: 'due', collected: 'paid', voided: 'taken back' } as const

function AllCharges({ turn }: { turn: number }) {
  const [status, setStatus] = useState<keyof typeof STATUSES>('all')
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">Charges</h2>
      <div class="row">
        <SelectField name="status" label="Show" choices={STATUSES} value={status} change={setStatus} />
      </div>
      <Charges query={{ role: 'owner', ...(status !== 'all' && { status }) }} turn={turn} />
    </section>
  )
}

/** What an owner needs once before anybody can fund a budget account for its agents. */
function Collector() {
  const { client, address = '' } = useConnection()
  const { loaded, reload } = useLoaded(address, async (signal) => {
    const query = { role: 'owner', limit: 1 } as const
    return await client.call('GET /payments/budgets', { query, signal })
  })
  const { run, look, start, isBusy } = useTransaction('collector', reload)
  return (
    <section aria-labelledby="collector">
      <h2 id="collector">Your collector</h2>
      <p>
        A collector takes what is due out of your hirers’ budget accounts, with your signature and the
        service’s together only. Hirers can fund their accounts once it stands; you make it once, for all your
        agents.
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ collector }) =>
          collector && collector.status !== 'absent' ? (
            <p role="status">
              {collector.status === 'open'
                ? 'You have a collector: '
                : 'Something else is at the address of your collector, which can’t be changed. Use another wallet: '}
              <Wallet address={collector.address} />
            </p>
          ) : (
            <button
              type="button"
              disabled={isBusy}
              onClick={() => start((flow) => client.openCollector(flow))}
            >
              Make my collector
            </button>
          )
        }
      </Show>
      <Steps run={run} look={look} />
    </section>
  )
}

/** The accounts that the wallet's hirers pay out of, the sum due from each, and the way to collect it. */
function Accounts({ collected }: { collected: () => void }) {
  const { client, address = '' } = useConnection()
  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts">Hirers’ budget accounts</h2>
      <Listed
        of={address}
        ask={async (cursor, signal) => {
          const query = { role: 'owner', cursor } as const
          const { budgets, nextCursor } = await client.call('GET /payments/budgets', { query, signal })
          return { entries: budgets, nextCursor }
        }}
        isAbout={ofKinds('budget', 'charge')}
        empty={
          <Empty title="None of your hirers has funded an account yet.">
            <p>Until one does, you work on credit. What is charged can be collected when it is funded.</p>
          </Empty>
        }
      >
        {(budgets, reload) => (
          <Collecting
            budgets={budgets}
            collected={() => {
              reload()
              collected()
            }}
          />
        )}
      </Listed>
    </section>
  )
}

/** The accounts, with a button to collect from each, and from all. */
function Collecting({ budgets, collected }: { budgets: readonly Budget[]; collected: () => void }) {
  const { client } = useConnection()
  const { run, look, start, isBusy } = useTransaction('collect', collected)
  const collect = (hireId?: string) => start((flow) => client.collect({ hireId }, flow))
  return (
    <>
      <ul class="cards" aria-label="Budget accounts">
        {budgets.map((budget) => (
          <li key={budget.hireId} class="card">
            <Account budget={budget} />
            <button type="button" disabled={isBusy || !canPay(budget)} onClick={() => collect(budget.hireId)}>
              Collect
            </button>
          </li>
        ))}
      </ul>
      {budgets.length > 1 && (
        <button
          type="button"
          class="primary"
          disabled={isBusy || !budgets.some(canPay)}
          onClick={() => collect()}
        >
          Collect from all that can pay
        </button>
      )}
      <Steps run={run} look={look} />
    </>
  )
}

/** Whether something is due from an account that stands. */
const canPay = ({ unpaid, status }: Budget): boolean => unpaid > 0n && status === 'open'

const Account = ({ budget }: { budget: Budget }) => (
  <>
    <h3>
      <Wallet address={budget.hirer} />{' '}
      {budget.status !== 'open' && <Badge tone="warn">{budget.status}</Badge>}
    </h3>
    <dl>
      <dt>Due</dt>
      <dd>
        <Cred amount={budget.unpaid} />
      </dd>
      <dt>Charges</dt>
      <dd>{budget.unpaidCharges}</dd>
      <dt>Holds</dt>
      <dd>
        <Cred amount={budget.balance} />
      </dd>
      <dt>May be collected</dt>
      <dd>
        <Cred amount={budget.allowance} />
      </dd>
    </dl>
    {budget.unpaid > 0n && (
      <p>
        <Badge tone={budget.covered ? 'good' : 'warn'}>{budget.covered ? 'covered' : 'not covered'}</Badge>
      </p>
    )}
    <p class="small">
      For <Link to={`agents/${budget.agentId}`}>this agent</Link>
    </p>
  </>
)

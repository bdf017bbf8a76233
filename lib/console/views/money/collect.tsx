import type { Budget } from '../../../client/generated/types.ts'
import { Button } from '../../kit/button.tsx'
import { Empty, Show } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Steps } from '../../kit/steps.tsx'
import { Badge, Cred, Link, Signature, Wallet } from '../../kit/text.tsx'
import { type Transaction, useTransaction } from '../../kit/transaction.tsx'
import { LEFT_OUT } from '../../left-out.ts'
import { ofKinds } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { BudgetStatus, Covered } from '../hires/facts.tsx'

/** Shows the wallet's payout account, and its hirers' accounts with what can be collected from each. */
export const Collect = ({ onCollected }: { onCollected: () => void }) => (
  <>
    <Collector />
    <Accounts onCollected={onCollected} />
    {!LEFT_OUT.includes('selling') && (
      <p>
        Paid per request? <Link to="agents/selling">Sell requests</Link>: each payment goes straight to your
        wallet, so there is nothing to collect.
      </p>
    )}
  </>
)

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
            {run.place === budget.hireId && <Collected run={run} check={check} />}
          </li>
        ))}
      </ul>
      {budgets.length > 1 && (
        <Button class="primary" isBusy={isBusy} isDisabled={!budgets.some(canPay)} onClick={() => collect()}>
          Collect all
        </Button>
      )}
      {!budgets.some(({ hireId }) => run.place === hireId) && <Collected run={run} check={check} />}
    </>
  )
}

/** Shows the steps of a collection; once it is confirmed, only what it paid. */
function Collected({ run, check }: Pick<Transaction, 'run' | 'check'>) {
  const summary = run.state === 'landed' ? run.progress.summary : undefined
  if (run.state !== 'landed' || summary?.flow !== 'collect') return <Steps run={run} check={check} />
  return (
    <p role="status">
      <Badge tone="good">
        <Cred amount={summary.received} /> collected
      </Badge>{' '}
      {run.signature && <Signature signature={run.signature} />}
    </p>
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
        <Cred amount={budget.unpaid} /> <span class="small">before the fee</span>
      </dd>
      <dt>Unpaid charges</dt>
      <dd>{budget.unpaidCharges}</dd>
      <dt>Hirer’s balance</dt>
      <dd>
        <Cred amount={budget.balance} />
      </dd>
      <dt>Reserved for your charges</dt>
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

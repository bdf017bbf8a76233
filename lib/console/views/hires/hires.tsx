import { useMemo } from 'preact/hooks'
import type { Charge, Hire } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { Chart } from '../../kit/chart.tsx'
import { Confirmed, Disclosure } from '../../kit/disclosure.tsx'
import { Empty } from '../../kit/loaded.tsx'
import { Layers, Picture } from '../../kit/marks.tsx'
import { Listed, NeedsWallet, Page } from '../../kit/pages.tsx'
import { Id, Link, Time } from '../../kit/text.tsx'
import { ofKinds } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Fee } from '../agents/facts.tsx'
import { BudgetAccount } from './budget.tsx'
import { Charges } from './charges.tsx'
import { BudgetMeter, HireStatus } from './facts.tsx'
import { RateHire } from './rate.tsx'
import { spendOf } from './spend.ts'

/** The wallet's hires: what they cost, what pays for them, and how they end. */
export default function HiresView() {
  const { client } = useConnection()
  return (
    <Page title="Hires" lead="The agents you hired, what they charged, and the budgets that pay for them.">
      <NeedsWallet why="Connect a wallet to see your hires.">
        {(hirer) => (
          <Listed
            listKey={hirer}
            shape="stack"
            ask={async (cursor, signal) => {
              const { hires, nextCursor } = await client.call('GET /agents/hire', {
                query: { cursor },
                signal,
              })
              return { entries: hires, nextCursor }
            }}
            isAbout={ofKinds('hire', 'charge')}
            empty={
              <Empty title="You have not hired an agent yet.">
                <p>
                  <Link to="market">Find an agent</Link>.
                </p>
              </Empty>
            }
          >
            {(hires, reload) => (
              <ul class="stack" aria-label="Hires">
                {hires.map((hire) => (
                  <HireCard key={hire.id} hire={hire} onChanged={reload} />
                ))}
              </ul>
            )}
          </Listed>
        )}
      </NeedsWallet>
    </Page>
  )
}

function HireCard({ hire, onChanged }: { hire: Hire; onChanged: () => void }) {
  const { client } = useConnection()
  return (
    <li class="card">
      <div class="who">
        <Picture id={hire.agent.id} />
        <h2>
          <Link to={`agents/${hire.agent.id}`}>{hire.agent.name}</Link> <HireStatus hire={hire} />
        </h2>
      </div>
      <BudgetMeter hire={hire} />
      <dl>
        <dt>Price</dt>
        <dd>
          <Fee terms={hire} />
        </dd>
        <dt>Layers</dt>
        <dd>
          <Layers layers={hire.layersEnabled} />
        </dd>
        <dt>{hire.endedAt ? 'Ended' : hire.autoRenew ? 'Renews' : 'Ends'}</dt>
        <dd>
          <Time at={hire.endedAt ?? hire.expiresAt} />
        </dd>
        <dt>Hire ID</dt>
        <dd>
          <Id id={hire.id} name="hire ID" />
        </dd>
      </dl>
      <Disclosure summary="Charges">
        <HireCharges hire={hire} />
      </Disclosure>
      <Disclosure summary="Hire budget">
        <BudgetAccount hire={hire} />
      </Disclosure>
      <Disclosure summary="Rate this agent">
        <RateHire hire={hire} />
      </Disclosure>
      {hire.status === 'active' && (
        <Confirmed
          label="End hire"
          question="The hire ends now and can’t be resumed. Existing charges can be collected for 30 more days."
          action={async () => {
            await client.call('DELETE /agents/hire', { query: { id: hire.id } })
            onChanged()
          }}
        />
      )}
    </li>
  )
}

/** Shows the charges of a hire to its hirer, with a picture of the present period. */
const HireCharges = ({ hire }: { hire: Hire }) => (
  <Charges query={{ role: 'hirer', hireId: hire.id }}>
    {(charges) => <SpendChart hire={hire} charges={charges} />}
  </Charges>
)

function SpendChart({ hire, charges }: { hire: Hire; charges: readonly Charge[] }) {
  const { now } = useConnection()
  const { budgetLimit } = hire
  const { xs, series } = useMemo(() => {
    const { xs, spent } = spendOf(hire, charges, now())
    const limit = budgetLimit === undefined ? undefined : Number(budgetLimit) / 1e9
    return {
      xs,
      series: [
        { label: 'Charged', values: spent, isStepped: true },
        ...(limit === undefined ? [] : [{ label: 'Spending limit', values: xs.map(() => limit) }]),
      ],
    }
  }, [hire, charges, budgetLimit])
  const spent = `${formatCred(hire.spent)} CRED charged this period`
  return (
    <Chart
      xs={xs}
      series={series}
      unit="CRED"
      summary={
        budgetLimit === undefined ? `${spent}.` : `${spent}, of a ${formatCred(budgetLimit)} CRED limit.`
      }
    />
  )
}

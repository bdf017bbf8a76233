import type { Hire } from '../../client/generated/types.ts'
import { Confirmed, Disclosure } from '../kit/disclosure.tsx'
import { Empty } from '../kit/loaded.tsx'
import { Listed, NeedsWallet, Page } from '../kit/pages.tsx'
import { Link, Time } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { Fee } from './agent-facts.tsx'
import { BudgetMeter } from './budget-meter.tsx'
import { BudgetAccount } from './hire-budget.tsx'
import { HireCharges } from './hire-charges.tsx'
import { RateForm } from './hire-rate.tsx'
import { HireStatus } from './hire-status.tsx'

/** The wallet's hires: what they cost, what pays for them, and how they end. */
export default function HiresView() {
  const { client } = useConnection()
  return (
    <Page title="Hires" lead="The agents that work for you, and what they may cost.">
      <NeedsWallet why="Your hires are kept under your wallet.">
        {(hirer) => (
          <Listed
            of={hirer}
            ask={async (cursor, signal) => {
              const { hires, nextCursor } = await client.call('GET /agents/hire', {
                query: { cursor },
                signal,
              })
              return { entries: hires, nextCursor }
            }}
            empty={
              <Empty title="You have not hired anybody yet.">
                <p>
                  <Link to="market">Find an agent</Link>.
                </p>
              </Empty>
            }
          >
            {(hires, reload) => (
              <ul class="stack" aria-label="Hires">
                {hires.map((hire) => (
                  <HireCard key={hire.id} hire={hire} changed={reload} />
                ))}
              </ul>
            )}
          </Listed>
        )}
      </NeedsWallet>
    </Page>
  )
}

function HireCard({ hire, changed }: { hire: Hire; changed: () => void }) {
  const { client } = useConnection()
  return (
    <li class="card">
      <h2>
        <Link to={`agents/${hire.agent.id}`}>{hire.agent.name}</Link> <HireStatus hire={hire} />
      </h2>
      <BudgetMeter hire={hire} />
      <dl>
        <dt>Fee</dt>
        <dd>
          <Fee of={hire} />
        </dd>
        <dt>Layers</dt>
        <dd>{hire.layersEnabled.join(', ')}</dd>
        <dt>{hire.endedAt ? 'Ended' : hire.autoRenew ? 'Renews' : 'Ends'}</dt>
        <dd>
          <Time at={hire.endedAt ?? hire.expiresAt} />
        </dd>
      </dl>
      <Disclosure summary="Charges">
        <HireCharges hire={hire} />
      </Disclosure>
      <Disclosure summary="Budget account">
        <BudgetAccount hire={hire} />
      </Disclosure>
      <Disclosure summary="Rate it">
        <RateForm hire={hire} />
      </Disclosure>
      {hire.status === 'active' && (
        <Confirmed
          label="End this hire"
          question="It ends now and for good. What was charged until now can still be collected for 30 days."
          action={async () => {
            await client.call('DELETE /agents/hire', { query: { id: hire.id } })
            changed()
          }}
        />
      )}
    </li>
  )
}

import { useState } from 'preact/hooks'
import type { Hire } from '../../../client/generated/types.ts'
import { Show } from '../../kit/loaded.tsx'
import { Layers, Picture } from '../../kit/marks.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Id, Link, Time, Wallet } from '../../kit/text.tsx'
import { LEFT_OUT } from '../../left-out.ts'
import { ofHire } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Fee } from '../agents/facts.tsx'
import { UUID } from '../agents/fields.ts'
import { NotThere } from '../not-found.tsx'
import { HireBudget, HirerBudget } from './budget.tsx'
import { ChargeForm } from './charge-form.tsx'
import { FilteredCharges } from './charges.tsx'
import { EndHire } from './end.tsx'
import { BudgetMeter, HireStatus } from './facts.tsx'
import { RateHire } from './rate.tsx'
import { SpendChart } from './spend-chart.tsx'

/** A hire, for its hirer and for the agent's owner: each sees what it may do. */
export function OneHire({ id, query }: { id: string; query: URLSearchParams }) {
  const { address } = useConnection()
  if (!UUID.test(id)) return <NoHire />
  return address === undefined ? (
    <Page title="Hire">
      <NeedsWallet why="Connect a wallet to see this hire.">{() => null}</NeedsWallet>
    </Page>
  ) : (
    <Known key={address} id={id} address={address} query={query} />
  )
}

const NoHire = () => (
  <Page title="Hire not found">
    <NotThere
      title="This hire does not exist, or it belongs to other wallets."
      to={['hires', 'your hires']}
    />
  </Page>
)

function Known({ id, address, query }: { id: string; address: string; query: URLSearchParams }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    id,
    (signal) => client.call('GET /agents/hire/{id}', { path: { id }, signal }),
    ofHire(id, 'hire', 'charge'),
  )
  const hire = 'data' in loaded ? loaded.data : undefined
  if (loaded.state === 'failed' && !hire && loaded.error.code === 'hire_not_found') return <NoHire />
  const isHirer = hire?.hirer === address
  return (
    <Page
      title={hire ? `Hire of ${hire.agent.name}` : 'Hire'}
      lead={hire && <Lead hire={hire} isHirer={isHirer} />}
      beside={hire && <Picture id={hire.agent.id} size={72} />}
    >
      <Show loaded={loaded} reload={reload}>
        {(hire) => <Sections hire={hire} address={address} query={query} onChanged={reload} />}
      </Show>
    </Page>
  )
}

const Lead = ({ hire, isHirer }: { hire: Hire; isHirer: boolean }) => (
  <>
    <HireStatus hire={hire} />{' '}
    {isHirer ? (
      'You hired this agent.'
    ) : (
      <>
        Hired by <Wallet address={hire.hirer} />
      </>
    )}
  </>
)

function Sections({
  hire,
  address,
  query,
  onChanged,
}: {
  hire: Hire
  address: string
  query: URLSearchParams
  onChanged: () => void
}) {
  const [reloads, setReloads] = useState(0)
  // A wallet may hire its own agent.
  const isHirer = hire.hirer === address
  const isOwner = hire.agent.pubkey === address
  const hasBudget = isHirer && !LEFT_OUT.includes('earnings')
  const seesBudget = isOwner && !isHirer && !LEFT_OUT.includes('earnings')
  return (
    <>
      {hasBudget && <HireBudget hire={hire} onEnded={onChanged} />}
      {seesBudget && <HirerBudget hire={hire} />}
      <Facts hire={hire} />
      {isOwner && hire.status === 'active' && (
        <section aria-labelledby="charge">
          <h2 id="charge">Charge for work</h2>
          <ChargeForm
            hire={hire}
            onCharged={() => {
              setReloads(reloads + 1)
              onChanged()
            }}
          />
        </section>
      )}
      <section aria-labelledby="charges">
        <h2 id="charges">Charges</h2>
        <FilteredCharges
          view={`hires/${hire.id}`}
          query={query}
          asked={{ role: isOwner ? 'owner' : 'hirer', hireId: hire.id }}
          reloads={reloads}
        >
          {(charges) => <SpendChart hire={hire} charges={charges} />}
        </FilteredCharges>
      </section>
      {isHirer && (
        <section aria-labelledby="rate">
          <h2 id="rate">Rate this agent</h2>
          <RateHire hire={hire} />
        </section>
      )}
      {hire.status === 'active' && !hasBudget && (
        <section aria-labelledby="end">
          <h2 id="end">End hire</h2>
          <EndHire hire={hire} onEnded={onChanged} />
        </section>
      )}
    </>
  )
}

const Facts = ({ hire }: { hire: Hire }) => (
  <section aria-labelledby="facts">
    <h2 id="facts">Details</h2>
    <dl>
      <dt>Agent</dt>
      <dd>
        <Link to={`agents/${hire.agent.id}`}>{hire.agent.name}</Link>
      </dd>
      <dt>Charged</dt>
      <dd>
        <BudgetMeter hire={hire} />
      </dd>
      <dt>Price</dt>
      <dd>
        <Fee terms={hire} />
      </dd>
      <dt>Categories</dt>
      <dd>
        <Layers layers={hire.layersEnabled} />
      </dd>
      <dt>Hired</dt>
      <dd>
        <Time at={hire.hiredAt} />
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
  </section>
)

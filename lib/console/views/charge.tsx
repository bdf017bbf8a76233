import type { Charge, Hire } from '../../client/generated/types.ts'
import { Show } from '../kit/loaded.tsx'
import { Picture } from '../kit/marks.tsx'
import { NeedsWallet, Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Cred, Id, Link, Signature, Time, Wallet } from '../kit/text.tsx'
import { UserText } from '../kit/user-text.tsx'
import type { IsAbout } from '../live/listeners.ts'
import type { ViewProps } from '../view-props.ts'
import { useConnection } from '../wallet/connection.tsx'
import { UUID } from './agents/fields.ts'
import { ChargeStatus, VoidCharge, Work } from './hires/charges.tsx'
import { NotThere } from './not-found.tsx'

/** The charge that the address names, for the hirer and for the agent's owner. */
export default function ChargeView({ id = '' }: ViewProps) {
  const { address } = useConnection()
  if (!UUID.test(id)) return <NoCharge />
  return address === undefined ? (
    <Page title="Charge">
      <NeedsWallet why="Connect a wallet to see this charge.">{() => null}</NeedsWallet>
    </Page>
  ) : (
    <Known key={address} id={id} address={address} />
  )
}

const NoCharge = () => (
  <Page title="Charge not found">
    <NotThere
      title="This charge does not exist, or it belongs to other wallets."
      to={['earnings', 'your charges']}
    />
  </Page>
)

const ofCharge =
  (id: string): IsAbout =>
  ({ data }) =>
    'chargeId' in data && data.chargeId === id

function Known({ id, address }: { id: string; address: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    id,
    async (signal) => {
      const charge = await client.call('GET /payments/charges/{id}', { path: { id }, signal })
      const path = { id: charge.hireId }
      return { charge, hire: await client.call('GET /agents/hire/{id}', { path, signal }) }
    },
    ofCharge(id),
  )
  const known = 'data' in loaded ? loaded.data : undefined
  if (loaded.state === 'failed' && !known && loaded.error.code === 'charge_not_found') return <NoCharge />
  return (
    <Page
      title={known?.charge.description || (known ? `Charge ${known.charge.reference}` : 'Charge')}
      lead={known?.charge.description && `Charge ${known.charge.reference}`}
      beside={known && <Picture id={known.charge.agentId} size={72} />}
    >
      <Show loaded={loaded} reload={reload}>
        {({ charge, hire }) => (
          <>
            {charge.result !== undefined && (
              <section aria-labelledby="result">
                <h2 id="result">Result</h2>
                <UserText text={charge.result} />
              </section>
            )}
            <Facts charge={charge} hire={hire} isHirer={charge.hirer === address} />
            {charge.owner === address && <VoidCharge charge={charge} onVoided={reload} />}
          </>
        )}
      </Show>
    </Page>
  )
}

const Facts = ({ charge, hire, isHirer }: { charge: Charge; hire: Hire; isHirer: boolean }) => (
  <dl>
    <dt>Amount</dt>
    <dd>
      <Cred amount={charge.amount} />
    </dd>
    <dt>Status</dt>
    <dd>
      <ChargeStatus charge={charge} />{' '}
      {isHirer && charge.status === 'recorded' && (
        <Link to={`hires/${hire.id}`}>Pay from the hire budget</Link>
      )}
    </dd>
    {charge.fee !== undefined && (
      <>
        <dt>Fee</dt>
        <dd>
          <Cred amount={charge.fee} /> of it
        </dd>
      </>
    )}
    <dt>Work</dt>
    <dd>
      <Work charge={charge} />
    </dd>
    <dt>Agent</dt>
    <dd>
      <Link to={`agents/${hire.agent.id}`}>{hire.agent.name}</Link>
    </dd>
    <dt>Hire</dt>
    <dd>
      <Link to={`hires/${hire.id}`}>Hire of {hire.agent.name}</Link>
    </dd>
    <dt>{isHirer ? 'Paid to' : 'Hirer'}</dt>
    <dd>
      <Wallet address={isHirer ? charge.owner : charge.hirer} />
    </dd>
    <dt>Charged</dt>
    <dd>
      <Time at={charge.createdAt} />
    </dd>
    {charge.voidedAt && (
      <>
        <dt>Voided</dt>
        <dd>
          <Time at={charge.voidedAt} />
        </dd>
      </>
    )}
    {charge.collectedAt && (
      <>
        <dt>Paid</dt>
        <dd>
          <Time at={charge.collectedAt} />
        </dd>
      </>
    )}
    {charge.signature && (
      <>
        <dt>Transaction</dt>
        <dd>
          <Signature signature={charge.signature} />
        </dd>
      </>
    )}
    <dt>Charge ID</dt>
    <dd>
      <Id id={charge.id} name="charge ID" />
    </dd>
  </dl>
)

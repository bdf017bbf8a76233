import { useState } from 'preact/hooks'
import { Empty, Show } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { noneYet, useLoaded } from '../../kit/query.ts'
import { Secret, type Shown } from '../../kit/secret.tsx'
import { Link } from '../../kit/text.tsx'
import { ofKinds } from '../../live/about.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { UUID } from '../agents/fields.ts'
import { DeliveriesTo } from './deliveries.tsx'
import { OneDelivery } from './delivery.tsx'
import { EndpointDetails } from './endpoint-card.tsx'
import {
  type AgentNames,
  allAgentsOf,
  draftOf,
  type EndpointDraft,
  namesOf,
  requestOf,
} from './endpoint-draft.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { Inbox } from './inbox.tsx'

/** The wallet's webhook endpoints, or the endpoint or delivery that the address names. */
export function Webhooks({ wallet, further, query }: ViewProps & { wallet: string }) {
  const [endpointId, eventId] = further
  if (endpointId === undefined) return <AllEndpoints wallet={wallet} />
  if (!UUID.test(endpointId) || (eventId !== undefined && !UUID.test(eventId))) return <NoEndpoint />
  if (eventId !== undefined) return <OneDelivery endpointId={endpointId} eventId={eventId} />
  return <OneEndpoint key={wallet} id={endpointId} wallet={wallet} query={query} />
}

const NoEndpoint = () => (
  <Empty title="This endpoint does not exist, or it belongs to another wallet.">
    <p>
      <Link to="developer/webhooks">See your endpoints</Link>.
    </p>
  </Empty>
)

/** Shows an endpoint with its deliveries. */
function OneEndpoint({ id, wallet, query }: { id: string; wallet: string; query: URLSearchParams }) {
  const { client } = useConnection()
  const [secret, setSecret] = useState<Shown>()
  const { loaded, reload } = useLoaded(
    id,
    async (signal) => {
      const [endpoint, agents] = await Promise.all([
        client.call('GET /events/endpoints/{id}', { path: { id }, signal }).catch(noneYet),
        allAgentsOf(client, wallet, signal),
      ])
      return { endpoint, names: namesOf(agents) }
    },
    ofKinds('endpoint'),
  )
  return (
    <>
      <p>
        <Link to="developer/webhooks">All endpoints</Link>
      </p>
      {secret && <Secret shown={secret} />}
      <Show loaded={loaded} reload={reload} shape="stack">
        {({ endpoint, names }) =>
          endpoint ? (
            <>
              <div class="card">
                <EndpointDetails
                  endpoint={endpoint}
                  names={names}
                  onChanged={reload}
                  showSecret={setSecret}
                />
              </div>
              <h3>Deliveries</h3>
              <DeliveriesTo endpointId={id} query={query} />
            </>
          ) : (
            <NoEndpoint />
          )
        }
      </Show>
    </>
  )
}

/** Lists the wallet's webhook endpoints, with a form for a new one. */
function AllEndpoints({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(wallet, async (signal) =>
    namesOf(await allAgentsOf(client, wallet, signal)),
  )
  return (
    <>
      <p>
        Events are sent as POST requests signed by the Standard Webhooks specification: with your endpoint’s
        secret (v1) and the service’s key (v1a).
      </p>
      <Show loaded={loaded} reload={reload}>
        {(names) => <Endpoints wallet={wallet} names={names} />}
      </Show>
    </>
  )
}

function Endpoints({ wallet, names }: { wallet: string; names: AgentNames }) {
  const { client } = useConnection()
  const [secret, setSecret] = useState<Shown>()
  const [made, setMade] = useState(0)
  const ask = async (cursor?: string, signal?: AbortSignal) => {
    const query = { cursor }
    const { endpoints, nextCursor } = await client.call('GET /events/endpoints', { query, signal })
    return { entries: endpoints, nextCursor }
  }
  async function create(draft: EndpointDraft) {
    const { url, secret } = await client.call('POST /events/endpoints', { body: requestOf(draft) })
    setSecret({ url, secret })
    setMade(made + 1)
  }
  return (
    <>
      {secret && <Secret shown={secret} />}
      <Listed
        listKey={wallet}
        filter={`${made}`}
        shape="stack"
        ask={ask}
        isAbout={ofKinds('endpoint')}
        empty={
          <Empty title="No endpoints yet.">
            <p>Add the URL of your server below to receive events.</p>
          </Empty>
        }
      >
        {(endpoints, reload) => (
          <ul class="stack" aria-label="Endpoints">
            {endpoints.map((endpoint) => (
              <li key={endpoint.id} class="card">
                <EndpointDetails
                  endpoint={endpoint}
                  names={names}
                  onChanged={reload}
                  showSecret={setSecret}
                />
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {DEVELOPMENT && <Inbox wallet={wallet} add={(url) => create({ ...draftOf(), url })} />}
      <h3>Add an endpoint</h3>
      <EndpointForm agentNames={names} label="Add endpoint" send={create} />
    </>
  )
}

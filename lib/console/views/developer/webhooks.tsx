import { useState } from 'preact/hooks'
import { Empty, Show } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Secret, type Shown } from '../../kit/secret.tsx'
import { ofKinds } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { EndpointCard } from './endpoint-card.tsx'
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

/** Lists the wallet's webhook endpoints, with a form for a new one. */
export function Webhooks({ wallet }: { wallet: string }) {
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
              <EndpointCard
                key={endpoint.id}
                endpoint={endpoint}
                names={names}
                onChanged={reload}
                showSecret={setSecret}
              />
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

import { useState } from 'preact/hooks'
import { Empty } from '../kit/loaded.tsx'
import { Listed } from '../kit/pages.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { EndpointCard } from './endpoint-card.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { Secret, type Shown } from './endpoint-secret.tsx'

/** Where the wallet's events are sent, and a form for another place. */
export function Webhooks({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  const [secret, setSecret] = useState<Shown>()
  const [made, setMade] = useState(0)
  const ask = async (cursor?: string, signal?: AbortSignal) => {
    const query = { cursor }
    const { endpoints, nextCursor } = await client.call('GET /events/endpoints', { query, signal })
    return { entries: endpoints, nextCursor }
  }
  return (
    <>
      <p>
        Events are sent by POST, signed as Standard Webhooks has it: with your endpoint’s secret (v1), and
        with the service’s key (v1a).
      </p>
      {secret && <Secret shown={secret} />}
      <Listed
        of={`${wallet} ${made}`}
        ask={ask}
        empty={
          <Empty title="Nothing is sent anywhere yet.">
            <p>Add the address of a server of yours below.</p>
          </Empty>
        }
      >
        {(endpoints, reload) => (
          <ul class="cards" aria-label="Endpoints">
            {endpoints.map((endpoint) => (
              <EndpointCard key={endpoint.id} endpoint={endpoint} changed={reload} showSecret={setSecret} />
            ))}
          </ul>
        )}
      </Listed>
      <EndpointForm
        created={({ url, secret }) => {
          setSecret({ url, secret })
          setMade(made + 1)
        }}
      />
    </>
  )
}

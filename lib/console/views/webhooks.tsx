import { useState } from 'preact/hooks'
import { Empty, Show } from '../kit/loaded.tsx'
import { Pages } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { useConnection } from '../wallet/connection.tsx'
import { EndpointCard } from './endpoint-card.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { Secret, type Shown } from './endpoint-secret.tsx'

/** Where the wallet's events are sent, and a form for another place. */
export function Webhooks({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  const [secret, setSecret] = useState<Shown>()
  const page = async (cursor?: string, signal?: AbortSignal) => {
    const { endpoints, nextCursor } = await client.call('GET /events/endpoints', {
      query: { cursor },
      signal,
    })
    return { entries: endpoints, nextCursor }
  }
  const { loaded, reload } = useLoaded(wallet, (signal) => page(undefined, signal))
  return (
    <>
      <p>
        Events are sent by POST, signed as Standard Webhooks has it: with your endpoint’s secret (v1), and
        with the service’s key (v1a).
      </p>
      {secret && <Secret shown={secret} />}
      <Show loaded={loaded} reload={reload}>
        {(first) => (
          <Pages first={first} more={page}>
            {(endpoints) =>
              endpoints.length > 0 ? (
                <ul class="cards" aria-label="Endpoints">
                  {endpoints.map((endpoint) => (
                    <EndpointCard
                      key={endpoint.id}
                      endpoint={endpoint}
                      changed={reload}
                      showSecret={setSecret}
                    />
                  ))}
                </ul>
              ) : (
                <Empty title="Nothing is sent anywhere yet.">
                  <p>Add the address of a server of yours below.</p>
                </Empty>
              )
            }
          </Pages>
        )}
      </Show>
      <EndpointForm
        created={({ url, secret }) => {
          setSecret({ url, secret })
          reload()
        }}
      />
    </>
  )
}

import { development } from '../../development.ts'
import { useAction } from '../../kit/action.ts'
import { Button } from '../../kit/button.tsx'
import { Empty, Failure, Show } from '../../kit/loaded.tsx'
import { fetchText, useLoaded, useRepeated } from '../../kit/query.ts'
import { Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'

/** A webhook that has arrived in the local platform's inbox (lib/local/inbox.ts). */
type Arrival = { id: string; type: string; receivedAt: string; body: string }

/**
 * The local platform's own endpoint for webhooks: how to have events sent there, and the wallet's events
 * that have arrived. A deployment's build has nothing of it.
 * @param add adds an endpoint
 */
export function Inbox({ wallet, add }: { wallet: string; add: (url: string) => Promise<void> }) {
  const { loaded, reload } = useLoaded(wallet, async (signal) => {
    const { inboxUrl } = await development(signal)
    return inboxUrl && `${inboxUrl}/${wallet}`
  })
  return (
    <Show loaded={loaded} reload={reload}>
      {(url) =>
        url && (
          <section aria-labelledby="inbox">
            <h3 id="inbox">Local inbox</h3>
            <p>
              Receives webhooks at <code>{url}</code> and verifies their signatures.
            </p>
            <Offer url={url} add={add} />
            <Arrivals url={url} />
          </section>
        )
      }
    </Show>
  )
}

function Offer({ url, add }: { url: string; add: (url: string) => Promise<void> }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(url, async (signal) => {
    const { endpoints } = await client.call('GET /events/endpoints', { signal })
    return endpoints.some((endpoint) => endpoint.url === url)
  })
  // The endpoint may be deleted above.
  useRepeated(true, reload)
  const { isBusy, error, run } = useAction(async () => {
    await add(url)
    reload()
  })
  return (
    <Show loaded={loaded} reload={reload}>
      {(isAdded) => (
        <>
          <Button isBusy={isBusy} isDisabled={isAdded} onClick={run}>
            {isAdded ? 'Receiving your events' : 'Send my events here'}
          </Button>
          {error && <Failure error={error} />}
        </>
      )}
    </Show>
  )
}

function Arrivals({ url }: { url: string }) {
  const { loaded, reload } = useLoaded(url, async (signal) => {
    const text = await fetchText(url, signal)
    const { arrivals }: { arrivals: Arrival[] } = JSON.parse(text ?? '{"arrivals":[]}')
    return arrivals
  })
  useRepeated(true, reload)
  return (
    <Show loaded={loaded} reload={reload}>
      {(arrivals) =>
        arrivals.length === 0 ? (
          <Empty title="No events received yet.">
            <p>Send a test event or hire an agent.</p>
          </Empty>
        ) : (
          <ul class="stack" aria-label="Received events">
            {arrivals.map(({ id, type, receivedAt, body }) => (
              <li key={`${id} ${receivedAt}`}>
                <details>
                  <summary>
                    <code>{type}</code> <Time at={receivedAt} />
                  </summary>
                  <pre class="message">{body}</pre>
                </details>
              </li>
            ))}
          </ul>
        )
      }
    </Show>
  )
}

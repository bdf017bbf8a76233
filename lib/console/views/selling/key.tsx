import { useState } from 'preact/hooks'
import { useAction } from '../../kit/action.ts'
import { Button } from '../../kit/button.tsx'
import { Copy } from '../../kit/copy.tsx'
import { Confirmed } from '../../kit/disclosure.tsx'
import { Failure } from '../../kit/loaded.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { VARIABLE } from './server-text.ts'

/**
 * Creates the key by which the agent's server settles payments. It is in this component's state until it is
 * dismissed, and nowhere else.
 * @param state whether the agent has a key; `unknown` while the service has not answered
 * @param onMade receives the time of a new key, in Unix milliseconds
 */
export function Key({
  agentId,
  state,
  onMade,
}: {
  agentId: string
  state: 'none' | 'one' | 'unknown'
  onMade: (at: number) => void
}) {
  const { client, now } = useConnection()
  const [url, setUrl] = useState<string>()
  async function create() {
    const key = await client.call('POST /x402/agents/{id}/key', { path: { id: agentId } })
    setUrl(key.url)
    onMade(now())
  }
  const creating = useAction(create)
  return (
    <section aria-labelledby="key">
      <h2 id="key">Selling key</h2>
      <p>
        Your server settles payments through a secret URL that contains the agent’s selling key. Each settled
        payment uses your credit.
      </p>
      {url !== undefined && (
        <div class="notice" role="status">
          <p>
            <strong>URL with your selling key. Copy it now: it won’t be shown again.</strong>
          </p>
          <p>
            <code>{url}</code>
          </p>
          <p class="small">
            Your server reads it from the environment variable <code>{VARIABLE}</code>.
          </p>
          <div class="row">
            <Copy text={url} label="Copy URL" />
            <button type="button" onClick={() => setUrl(undefined)}>
              I’ve saved it
            </button>
          </div>
        </div>
      )}
      {state === 'none' ? (
        <>
          <Button isBusy={creating.isBusy} onClick={creating.run}>
            Create key
          </Button>
          {creating.error && <Failure error={creating.error} />}
        </>
      ) : (
        <Confirmed
          key={state}
          label={state === 'one' ? 'Replace key' : 'Create key'}
          question={
            state === 'one'
              ? `The current key ${STOPS}`
              : `If this agent already has a key, that key ${STOPS}`
          }
          action={create}
        />
      )}
    </section>
  )
}

const STOPS =
  'stops working at once, even for payments in progress. A server that uses it can’t sell until you give it the new key.'

import { useState } from 'preact/hooks'
import { Copy } from '../../kit/copy.tsx'
import { Confirmed } from '../../kit/disclosure.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { VARIABLE } from './server-text.ts'

/**
 * Creates the key by which the agent's server settles payments. It is in this component's state until it is
 * dismissed, and nowhere else.
 * @param isKnown whether the agent is known to have a key
 * @param onMade receives the time of a new key, in Unix milliseconds
 */
export function Key({
  agentId,
  isKnown,
  onMade,
}: {
  agentId: string
  isKnown: boolean
  onMade: (at: number) => void
}) {
  const { client, now } = useConnection()
  const [url, setUrl] = useState<string>()
  async function create() {
    const key = await client.call('POST /x402/agents/{id}/key', { path: { id: agentId } })
    setUrl(key.url)
    onMade(now())
  }
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
      <Confirmed
        key={isKnown ? 'replace' : 'create'}
        label={isKnown ? 'Replace key' : 'Create key'}
        question={isKnown ? `The current key ${STOPS}` : `If this agent already has a key, that key ${STOPS}`}
        action={create}
      />
    </section>
  )
}

const STOPS =
  'stops working at once, even for payments in progress. A server that uses it can’t sell until you give it the new key.'

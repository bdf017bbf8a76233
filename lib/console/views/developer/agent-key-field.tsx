import { useState } from 'preact/hooks'
import { Copy } from '../../kit/copy.tsx'
import { Field } from '../../kit/form.tsx'
import { type AgentKey, createAgentKey, parseAgentKey } from './agent-key.ts'

/**
 * Takes an agent's public key, or creates a key pair and shows its private key. The private key is sent
 * nowhere.
 * @param pair the pair that was created last. It is shown as long as the field has its public key
 */
export function AgentKeyField({
  text,
  change,
  pair,
  onCreated,
}: {
  text: string
  change: (text: string) => void
  pair: AgentKey | undefined
  onCreated: (pair: AgentKey) => void
}) {
  const [isIncapable, setIncapable] = useState(false)
  const { key, problem } = parseAgentKey(text)
  async function create() {
    try {
      const created = await createAgentKey()
      onCreated(created)
      change(created.key)
    } catch (error) {
      console.error('No key was created:', error)
      setIncapable(true)
    }
  }
  return (
    <>
      <Field
        name="key"
        label="Public key of the agent"
        hint={
          problem === undefined ? (
            'In Base58 or as a JWK. If your agent has no key yet, create one.'
          ) : (
            <span class="bad">{problem}</span>
          )
        }
      >
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            spellcheck={false}
            value={text}
            aria-invalid={problem !== undefined || control['aria-invalid']}
            onInput={(event) => change(event.currentTarget.value)}
          />
        )}
      </Field>
      <div>
        <button type="button" onClick={create}>
          Create a key
        </button>
      </div>
      {isIncapable && (
        <p role="alert">
          This browser can’t create Ed25519 keys. Create one with another tool, and paste its public key.
        </p>
      )}
      {pair !== undefined && pair.key === key && (
        <div class="notice" role="status">
          <p>
            <strong>
              The agent’s private key. Copy it now: it disappears when you leave this page, and is stored
              nowhere.
            </strong>
          </p>
          <pre class="message">{pair.jwk}</pre>
          <Copy text={pair.jwk} label="Copy private key" />
          <p class="small">
            Save it as agent-key.json where the agent runs. Treat it like a password: nothing else proves who
            the agent is.
          </p>
        </div>
      )}
    </>
  )
}

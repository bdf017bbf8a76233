import { useState } from 'preact/hooks'
import { NeedsWallet } from '../../kit/pages.tsx'
import { Id, Link, Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { type AgentKey, parseAgentKey } from './agent-key.ts'
import { AgentKeyField } from './agent-key-field.tsx'
import { AgentSettings } from './agent-settings.tsx'
import { type Created, NewConnection } from './new-connection.tsx'

/** How long an agent can be allowed to log in, in days. */
const TERMS = [1, 7, 30, 90] as const

/** Allows an agent to log in with an Ed25519 key of its own. */
export function ConnectAgent({ url }: { url: string }) {
  // In this component alone: the private key is gone when the visitor leaves the view.
  const [pair, setPair] = useState<AgentKey>()
  const [text, setText] = useState('')
  const [made, setMade] = useState<Created>()
  const { address } = useConnection()
  const created = made?.wallet === address ? made : undefined
  return (
    <section aria-labelledby="agent">
      <h3 id="agent">Let your agent log in with its own key</h3>
      <p>
        For a program that runs without you, such as a bot on a server. It has an Ed25519 key, and gets access
        with it whenever it needs to. It needs no password, and no new token until its access ends.
      </p>
      <NeedsWallet why="Connect the wallet that the agent may use.">
        {(wallet) => (
          <NewConnection
            key={wallet}
            means={{ kind: 'key', key: parseAgentKey(text).key }}
            firstName="My agent"
            terms={TERMS}
            label={created ? 'Allow another key' : 'Allow this key'}
            onCreated={setMade}
          >
            <AgentKeyField text={text} change={setText} pair={pair} onCreated={setPair} />
          </NewConnection>
        )}
      </NeedsWallet>
      {created?.clientId !== undefined && (
        <>
          <div class="notice" role="status">
            <p>
              <strong>Your agent can log in with its key.</strong>
            </p>
            <p>
              Its client ID: <Id id={created.clientId} name="client ID" />
            </p>
            <p class="small">
              It works until <Time at={created.expiresAt} />, or until you end it under{' '}
              <Link to="apps">Connected apps</Link>. Copy the client ID now: it disappears when you leave this
              page. It is no secret.
            </p>
          </div>
          <AgentSettings url={url} clientId={created.clientId} />
        </>
      )}
    </section>
  )
}

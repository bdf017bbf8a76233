import { useState } from 'preact/hooks'
import { Copy } from '../../kit/copy.tsx'
import { SelectField } from '../../kit/inputs.tsx'
import { NeedsWallet } from '../../kit/pages.tsx'
import { Link, Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { TOKEN_CLIENTS, type TokenClient, tokenSettingsOf } from './connect-text.ts'
import { Copied } from './copied.tsx'
import { type Created, NewConnection } from './new-connection.tsx'

/** How long a token can last, in days. */
const TERMS = [1, 7, 30] as const

/** Creates a token for an AI client that can't log in through the browser. */
export function ConnectToken({ url }: { url: string }) {
  // In this component alone: it is gone when the visitor leaves the view.
  const [made, setMade] = useState<Created>()
  const { address } = useConnection()
  const created = made?.wallet === address ? made : undefined
  return (
    <section aria-labelledby="token">
      <h3 id="token">Use a token instead</h3>
      <p>
        Create a token for an AI client that can’t log in through the browser. The client sends it with each
        request, and may do what you allow here.
      </p>
      <NeedsWallet why="Connect a wallet to create a token.">
        {(wallet) => (
          <NewConnection
            key={wallet}
            means={{ kind: 'token' }}
            firstName="My AI client"
            terms={TERMS}
            label={created ? 'Create another token' : 'Create token'}
            onCreated={setMade}
          />
        )}
      </NeedsWallet>
      {created?.token !== undefined && (
        <>
          <Token token={created.token} expiresAt={created.expiresAt} />
          <TokenSettings url={url} token={created.token} />
        </>
      )}
    </section>
  )
}

const Token = ({ token, expiresAt }: { token: string; expiresAt: string }) => (
  <div class="notice" role="status">
    <p>
      <strong>Your token. Copy it now: it disappears when you leave this page.</strong>
    </p>
    <pre class="message">{token}</pre>
    <Copy text={token} label="Copy token" />
    <p class="small">
      It works until <Time at={expiresAt} />, or until you end it under <Link to="apps">Connected apps</Link>.
      Treat it like a password.
    </p>
  </div>
)

/** The settings of an AI client with the token. */
function TokenSettings({ url, token }: { url: string; token: string }) {
  const [client, choose] = useState<TokenClient>('claudeCode')
  return (
    <>
      <SelectField
        name="tokenClient"
        label="AI client with the token"
        choices={TOKEN_CLIENTS}
        value={client}
        change={choose}
      />
      <Copied {...tokenSettingsOf(client, url, token)} label="Copy settings with the token" />
    </>
  )
}

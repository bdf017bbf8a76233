import { useState } from 'preact/hooks'
import type { AuthSession } from '../../../client/generated/types.ts'
import { createClient } from '../../../client/index.ts'
import { Copy } from '../../kit/copy.tsx'
import { Form } from '../../kit/form.tsx'
import { ChecksField, SelectField } from '../../kit/inputs.tsx'
import { NeedsWallet } from '../../kit/pages.tsx'
import { type GrantablePermission, PERMISSIONS, permissionLabel } from '../../kit/permissions.ts'
import { Id, Link, Time } from '../../kit/text.tsx'
import { BASE_URL, clock, useConnection } from '../../wallet/connection.tsx'
import {
  LOGIN_CLIENTS,
  type LoginClient,
  loginSettingsOf,
  TOKEN_CLIENTS,
  type TokenClient,
  tokenSettingsOf,
} from './connect-text.ts'

/** The server that asks every caller for access: some clients ask for none of an open one. */
const MCP_URL = `${BASE_URL}/mcp/wallet`
/** The same server for public data. */
const PUBLIC_URL = `${BASE_URL}/mcp`

/** Shows how to add the service to an AI client: by a login in the browser, or with a token. */
export function ConnectAi() {
  // In this component alone: it is gone when the visitor leaves the view.
  const [made, setMade] = useState<AuthSession>()
  const { address } = useConnection()
  const session = made?.publicKey === address ? made : undefined
  return (
    <>
      <p>
        An AI client can search agents, and use AgentCred for you, through the Model Context Protocol (MCP).
        The server’s address is <Id id={MCP_URL} name="address" />.
      </p>
      <h3>Add AgentCred to your AI</h3>
      <p>
        Your AI client opens this console in the browser. There you choose what it may do, how much it may
        spend and for how long, and sign that with your wallet. It can’t move funds: every payment needs a
        signature in your wallet. <Link to="apps">Connected apps</Link> shows what you allowed, and ends it.
      </p>
      <LoginSettings />
      <p class="small">
        To search agents without a login, use <Id id={PUBLIC_URL} name="address for public data" />.
      </p>
      <h3>Use a token instead</h3>
      <p>
        Create a token for an AI client that can’t log in through the browser. With it, the client reads your
        hires, charges and events, and does what you tick here.
      </p>
      <NeedsWallet why="Connect a wallet to create a token.">
        {(wallet) => <Token key={wallet} session={session} onMade={setMade} />}
      </NeedsWallet>
      {session && <TokenSettings token={session.sessionToken} />}
    </>
  )
}

/** Creates a token by a login with few permissions, and shows it. */
function Token({
  session,
  onMade,
}: {
  session: AuthSession | undefined
  onMade: (session: AuthSession) => void
}) {
  const { wallet } = useConnection()
  const [permissions, setPermissions] = useState<GrantablePermission[]>([])
  async function create() {
    // A client of its own, so that the console neither uses nor stores this session.
    onMade(await createClient({ baseUrl: BASE_URL, fetch: clock.fetch, wallet, permissions }).login())
  }
  return (
    <>
      <Form label={session ? 'Create another token' : 'Create token'} action={create}>
        <ChecksField
          name="permissions"
          label="Your AI may also"
          choices={Object.keys(PERMISSIONS) as GrantablePermission[]}
          labelOf={permissionLabel}
          value={permissions}
          change={setPermissions}
        />
      </Form>
      {session && (
        <div class="notice" role="status">
          <p>
            <strong>Your token. It disappears when you leave this page.</strong>
          </p>
          <pre class="message">{session.sessionToken}</pre>
          <Copy text={session.sessionToken} label="Copy token" />
          <p class="small">
            It works until <Time at={new Date(session.expiresAt).toISOString()} />. Treat it like a password.
            “Sign out everywhere” in the wallet menu ends it, and all other sessions of this wallet.
          </p>
        </div>
      )}
    </>
  )
}

/** The settings of an AI client that logs in through the browser. */
function LoginSettings() {
  const [client, choose] = useState<LoginClient>('claudeCode')
  return (
    <>
      <SelectField name="client" label="AI client" choices={LOGIN_CLIENTS} value={client} change={choose} />
      <Settings of={loginSettingsOf(client, MCP_URL)} label="Copy settings" />
    </>
  )
}

/** The settings of an AI client with the token. */
function TokenSettings({ token }: { token: string }) {
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
      <Settings of={tokenSettingsOf(client, MCP_URL, token)} label="Copy settings with the token" />
    </>
  )
}

/** What to copy, and what to do with it. */
const Settings = ({
  of: { where, text, next },
  label,
}: {
  of: ReturnType<typeof loginSettingsOf>
  label: string
}) => (
  <>
    <p>{where}</p>
    <pre class="message">{text}</pre>
    <Copy text={text} label={label} />
    <p class="small">{next}</p>
  </>
)

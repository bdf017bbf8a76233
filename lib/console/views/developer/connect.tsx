import { useState } from 'preact/hooks'
import type { AuthSession } from '../../../client/generated/types.ts'
import { createClient } from '../../../client/index.ts'
import { Copy } from '../../kit/copy.tsx'
import { Form } from '../../kit/form.tsx'
import { ChecksField, SelectField } from '../../kit/inputs.tsx'
import { NeedsWallet } from '../../kit/pages.tsx'
import { Id, Time } from '../../kit/text.tsx'
import { BASE_URL, clock, useConnection } from '../../wallet/connection.tsx'
import { AI_CLIENTS, type AiClient, settingsOf } from './connect-text.ts'

const MCP_URL = `${BASE_URL}/mcp`

/** The permissions that an AI can have. All other changes are left to programs and the console. */
const PERMISSIONS = {
  'agents:hire': 'Hire agents and end hires',
  'agents:charge': 'Charge for the work of your agents',
  'vault:transact': 'Prepare staking transactions, which you sign in your wallet',
}
type Permission = keyof typeof PERMISSIONS

/** Shows how to add the service to an AI client, with a token of few permissions. */
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
      <h3>Create a token</h3>
      <p>
        Without a token, your AI sees public data. With one, it also reads your hires, charges and events. It
        can’t move funds: every payment needs a signature in your wallet.
      </p>
      <NeedsWallet why="Connect a wallet to create a token.">
        {(wallet) => <Token key={wallet} session={session} onMade={setMade} />}
      </NeedsWallet>
      <h3>Add AgentCred to your AI</h3>
      <AiSettings token={session?.sessionToken} />
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
  const [permissions, setPermissions] = useState<Permission[]>([])
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
          choices={Object.keys(PERMISSIONS) as Permission[]}
          labelOf={(permission) => PERMISSIONS[permission]}
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

/** The settings of the chosen AI client, to be copied. */
function AiSettings({ token }: { token: string | undefined }) {
  const [client, choose] = useState<AiClient>('claudeCode')
  const { where, text, next } = settingsOf(client, MCP_URL, token)
  return (
    <>
      <SelectField name="client" label="AI client" choices={AI_CLIENTS} value={client} change={choose} />
      <p>{where}</p>
      <pre class="message">{text}</pre>
      <Copy text={text} label="Copy settings" />
      <p class="small">{next}</p>
      {token === undefined && <p class="small">These settings have no token: they are for public data.</p>}
    </>
  )
}

import { useState } from 'preact/hooks'
import { SelectField } from '../../kit/inputs.tsx'
import { Id, Link } from '../../kit/text.tsx'
import { BASE_URL } from '../../wallet/connection.tsx'
import { ConnectAgent } from './connect-agent.tsx'
import { LOGIN_CLIENTS, type LoginClient, loginSettingsOf } from './connect-text.ts'
import { ConnectToken } from './connect-token.tsx'
import { Copied } from './copied.tsx'

/** The server that asks every caller for access: some clients ask for none of an open one. */
const MCP_URL = `${BASE_URL}/mcp/wallet`
/** The same server for public data. */
const PUBLIC_URL = `${BASE_URL}/mcp`

/** Shows how to add the service to an AI: by a login in the browser, with a token, or with a key of its own. */
export const ConnectAi = () => (
  <>
    <p>
      An AI client can search agents, and use AgentCred for you, through the Model Context Protocol (MCP). The
      server’s address is <Id id={MCP_URL} name="address" />.
    </p>
    <h3>Add AgentCred to your AI</h3>
    <p>
      Your AI client opens this console in the browser. There you choose what it may do, how much it may spend
      and for how long, and sign that with your wallet. It can’t move funds: every payment needs a signature
      in your wallet. <Link to="apps">Connected apps</Link> shows what you allowed, and ends it.
    </p>
    <LoginSettings />
    <p class="small">
      To search agents without a login, use <Id id={PUBLIC_URL} name="address for public data" />.
    </p>
    <ConnectToken url={MCP_URL} />
    <ConnectAgent url={MCP_URL} />
  </>
)

/** The settings of an AI client that logs in through the browser. */
function LoginSettings() {
  const [client, choose] = useState<LoginClient>('claudeCode')
  return (
    <>
      <SelectField name="client" label="AI client" choices={LOGIN_CLIENTS} value={client} change={choose} />
      <Copied {...loginSettingsOf(client, MCP_URL)} label="Copy settings" />
    </>
  )
}

import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { createClient } from '../../client/index.ts'
import { createWallet, type KeyWallet, signerOf } from '../wallet.ts'
import { offerAgent } from './agents.ts'
import { heading, refused, show, step } from './output.ts'
import { json, signChoices } from './signed-choices.ts'

/** Where the demo's program would listen for the answer. */
const REDIRECT = 'http://127.0.0.1:33418/callback'

/** What the wallet allows: hires within 5 CRED, for a day. */
const CHOICES = { permissions: ['agents:hire'], spendLimit: 5_000_000_000, days: 1 }

/**
 * Logs MCP's official client in by OAuth, and hires an agent with it. A browser would open the consent page;
 * the demo sends what that page sends.
 */
export async function access(baseUrl: string) {
  heading('A model gets limited access to a wallet, and hires an agent')
  const asDeveloper = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const body = { name: 'Model scout', agentType: 'oracle' as const, supportedLayers: [15] }
  const agent = await offerAgent(asDeveloper, body)
  const wallet = createWallet()
  const program = createProgram(baseUrl)
  await step('Without access, the client asks for it', program.askForAccess())
  const answer = await step(
    'The wallet allows hires of at most 5 CRED in total',
    consent(program.opened(), wallet),
  )
  await step('The client gets its tokens', program.finish(answer))
  const client = await program.connect()
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args })
  const hired = await step(
    'The model hires the agent',
    call('hire_agent', { agentId: agent.id, budgetLimit: '5000000000' }),
  )
  const { id, status } = Object(hired.structuredContent)
  show({ id, status })
  // An ended hire still counts towards the limit.
  await call('end_hire', { id })
  const again = await call('hire_agent', { agentId: agent.id, budgetLimit: '1' })
  show({ 'the limit is used up': JSON.parse(String(Object(again.content)[0].text)).code })
  await client.close()

  const owner = createClient({ baseUrl, wallet: signerOf(wallet) })
  const { connections } = await step('The wallet lists who has access', owner.call('GET /oauth/grants'))
  for (const { name, permissions, committed } of connections) show({ name, permissions, committed })
  const [connection] = connections
  const path = { id: String(connection?.id) }
  await step('and ends it', owner.call('DELETE /oauth/grants/{id}', { path }))
  const other = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  await refused(
    'connection_not_found',
    'Nobody else can end it',
    other.call('DELETE /oauth/grants/{id}', { path }),
  )
}

type Stored = {
  client?: object
  tokens?: StoredOAuthTokens
  verifier?: string
  opened?: URL
  discovered?: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0]
}

/** A program with MCP's official client, and what it stores. */
function createProgram(baseUrl: string) {
  const url = new URL(`${baseUrl}/mcp/wallet`)
  const stored: Stored = {}
  const authProvider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { redirect_uris: [REDIRECT], client_name: 'AgentCred demo' },
    clientInformation: () => stored.client as never,
    saveClientInformation: (client) => {
      stored.client = client
    },
    tokens: () => stored.tokens,
    saveTokens: (tokens) => {
      stored.tokens = tokens
    },
    redirectToAuthorization: (opened) => {
      stored.opened = opened
    },
    saveCodeVerifier: (verifier) => {
      stored.verifier = verifier
    },
    saveDiscoveryState: (discovered) => {
      stored.discovered = discovered
    },
    discoveryState: () => stored.discovered,
    codeVerifier: () => stored.verifier ?? '',
  }
  const newTransport = () => new StreamableHTTPClientTransport(url, { authProvider })
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'agentcred-demo', version: '1.0.0' })
    await client.connect(newTransport())
    return client
  }
  return {
    connect,
    /** Connects without tokens, so the client asks for access. Stores the URL of the consent page. */
    askForAccess: () =>
      connect().then(
        () => Promise.reject(new Error('it had access')),
        (error: unknown) => (stored.opened ? undefined : Promise.reject(error)),
      ),
    opened: () => new URL(String(stored.opened)),
    finish: (answer: URLSearchParams) => newTransport().finishAuth(answer),
  }
}

/** Does what the consent page does. Returns the parameters with which it leads back to the program. */
async function consent({ origin, search }: URL, wallet: KeyWallet): Promise<URLSearchParams> {
  const asked = await json(fetch(`${origin}/v1/oauth/request${search}`))
  show({ name: asked.clientName, destination: asked.destination, permissions: asked.permissions })
  const paths = { challenge: 'challenge', submit: 'consent' }
  const choices = { ...CHOICES, request: asked.request }
  const { redirectTo } = await signChoices(origin, wallet, paths, choices)
  return new URL(String(redirectTo)).searchParams
}

import { generateKeyPairSync } from 'node:crypto'
import {
  Client,
  PrivateKeyJwtProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { base58 } from '@scure/base'
import { createClient } from '../../client/index.ts'
import { createWallet, type KeyWallet, signerOf } from '../wallet.ts'
import { heading, show, step } from './output.ts'
import { signChoices } from './signed-choices.ts'

/** What the wallet allows: to read for a week. */
const CHOICES = { kind: 'key', name: 'Demo agent', permissions: [], days: 7 }

/**
 * Lets an agent log in with its own key, by MCP's official client. A visitor would allow the key in the
 * console; the demo sends what the console sends.
 */
export async function ownKey(baseUrl: string) {
  heading('An agent logs in with its own key')
  const wallet = createWallet()
  const { key, jwk } = createAgentKey()
  const clientId = await step('The wallet allows the agent’s key', allow(baseUrl, wallet, key))
  const client = await step('The agent logs in by itself', connect(baseUrl, clientId, jwk))
  const readEvents = () => client.callTool({ name: 'list_events', arguments: {} })
  const { structuredContent } = await step('and reads the events of the wallet', readEvents())
  for (const { type, data } of Object(structuredContent).events) show({ type, data })

  const owner = createClient({ baseUrl, wallet: signerOf(wallet) })
  const { connections } = await owner.call('GET /oauth/grants')
  for (const { kind, name, key } of connections) show({ kind, name, key })
  const path = { id: String(connections[0]?.id) }
  await step('The wallet ends it', owner.call('DELETE /oauth/grants/{id}', { path }))
  await step('The key works no more', rejects(readEvents()))
  await client.close()
}

/** Makes an agent's key pair: the public key in Base58, and the private key as a JWK. */
function createAgentKey() {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { jwk: jwk as Record<string, unknown>, key: base58.encode(Buffer.from(String(jwk.x), 'base64url')) }
}

/** Allows a key, and returns the agent's client id. */
async function allow(baseUrl: string, wallet: KeyWallet, key: string): Promise<string> {
  const paths = { challenge: 'grants/challenge', submit: 'grants' }
  const { clientId } = await signChoices(new URL(baseUrl).origin, wallet, paths, { ...CHOICES, key })
  return String(clientId)
}

async function connect(baseUrl: string, clientId: string, privateKey: Record<string, unknown>) {
  const authProvider = new PrivateKeyJwtProvider({
    ...{ clientId, privateKey },
    algorithm: 'EdDSA',
    expectedIssuer: new URL(baseUrl).origin,
  })
  const client = new Client({ name: 'agentcred-demo', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp/wallet`), { authProvider }))
  return client
}

/** @throws Error if the call succeeds, or fails for another reason than missing access */
const rejects = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('it had access')),
    (error: unknown) => {
      if (!isRefusal(error)) throw error
    },
  )

/** Whether an error says that the access has ended: of the server, or of the token endpoint. */
const isRefusal = (error: unknown): boolean =>
  error instanceof UnauthorizedError ||
  (error instanceof Error && /invalid_grant|not valid/.test(error.message))

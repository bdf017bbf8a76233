import { generateKeyPairSync, randomUUID } from 'node:crypto'
import {
  Client,
  OAuthError,
  OAuthErrorCode,
  PrivateKeyJwtProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { base58 } from '@scure/base'
import { importJWK, SignJWT } from 'jose'
import { createClient } from '../../client/index.ts'
import { DAY_MS } from '../../time.ts'
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
  const allowed = await step('The wallet allows the agent’s key', allow(baseUrl, wallet, key))
  const client = await step('The agent logs in by itself', connect(baseUrl, allowed, jwk))
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

/** A client id, and how far the platform's clock is ahead of this machine's, in milliseconds. */
type Allowed = { clientId: string; aheadMs: number }

/** Allows a key. */
async function allow(baseUrl: string, wallet: KeyWallet, key: string): Promise<Allowed> {
  const paths = { challenge: 'grants/challenge', submit: 'grants' }
  const { clientId, expiresAt } = await signChoices(new URL(baseUrl).origin, wallet, paths, {
    ...CHOICES,
    key,
  })
  const createdAt = Date.parse(String(expiresAt)) - CHOICES.days * DAY_MS
  return { clientId: String(clientId), aheadMs: createdAt - Date.now() }
}

async function connect(baseUrl: string, { clientId, aheadMs }: Allowed, privateKey: Record<string, unknown>) {
  const issuer = new URL(baseUrl).origin
  const authProvider = new PrivateKeyJwtProvider({
    ...{ clientId, privateKey },
    algorithm: 'EdDSA',
    expectedIssuer: issuer,
  })
  // The provider would sign with this machine's time, and other parts of the demo move the platform's clock.
  authProvider.addClientAuthentication = async (_headers, params) => {
    const issuedAt = Math.floor((Date.now() + aheadMs) / 1000)
    const assertion = new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(issuer)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 60)
    params.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    params.set('client_assertion', await assertion.sign(await importJWK(privateKey, 'EdDSA')))
  }
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
  (error instanceof OAuthError && error.code === OAuthErrorCode.InvalidGrant)

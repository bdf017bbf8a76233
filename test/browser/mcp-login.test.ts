import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { decodeJwt } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { MODERN_VERSION } from '../../lib/mcp/protocol.ts'
import type { VersionKind } from '../../lib/mcp/protocol-version.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet, type PageWallet } from '../support/page-wallet.ts'

/* The official client, unmodified, logs in through the browser. */

const site = useConsole()

const HOUR_MS = 3_600_000

/** What the client stores, and the addresses that it opens in the browser. */
type Stored = {
  client?: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0]
  tokens?: Parameters<OAuthClientProvider['saveTokens']>[0]
  verifier?: string
  opened: URL[]
  discovered?: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>
}

/** A program on the computer: listens on loopback for the answer. */
async function startProgram(kind: VersionKind, path = '/v1/mcp/wallet') {
  const server = createServer((_request, response) => response.end('You can close this page.'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const stored: Stored = { opened: [] }
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Test Program' },
    state: () => 'the state',
    clientInformation: () => stored.client as never,
    saveClientInformation: (client) => {
      stored.client = client
    },
    tokens: () => stored.tokens,
    saveTokens: (tokens) => {
      stored.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      stored.opened.push(url)
    },
    saveCodeVerifier: (verifier) => {
      stored.verifier = verifier
    },
    saveDiscoveryState: (state) => {
      stored.discovered = state
    },
    discoveryState: () => stored.discovered,
    invalidateCredentials: () => {
      delete stored.tokens
    },
    codeVerifier: () => stored.verifier ?? '',
  }
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(`${site.service.origin}${path}`), { authProvider: provider })
  const newClient = () =>
    new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: kind === 'modern' ? { pin: MODERN_VERSION } : 'legacy' } },
    )
  /** Connects with the stored tokens. */
  const connect = async (): Promise<Client> => {
    const client = newClient()
    await client.connect(newTransport())
    onTestFinished(() => client.close())
    return client
  }
  return { stored, newTransport, connect, redirectUrl }
}

type Program = Awaited<ReturnType<typeof startProgram>>

/** Has the visitor of the opened page allow the program, and gives the code to the program. */
async function allow({ stored, newTransport, redirectUrl }: Program, wallet: PageWallet): Promise<void> {
  const { origin, search } = new URL(String(stored.opened.at(-1)))
  expect(origin).toBe(site.service.origin)
  const { page, connect } = await site.visit({
    view: `connect${search}`,
    wallets: [wallet],
    others: [new URL(redirectUrl).origin],
  })
  await connect(wallet)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL((url) => url.href.startsWith(redirectUrl))
  const answer = new URL(page.url()).searchParams
  expect(Object.fromEntries(answer)).toEqual({ code: expect.any(String), state: 'the state', iss: origin })
  await newTransport().finishAuth(answer)
}

const listHires = (client: Client) => client.callTool({ name: 'list_my_hires', arguments: {} })
const keyOf = (wallet: PageWallet) => walletFromSecretKey(wallet.keypair.secretKey)

describe.each(['modern', 'legacy'] as const)('the official client, %s protocol', (kind) => {
  it('logs in through the browser, calls a tool, renews its token, and is refused when ended', async () => {
    const wallet = createPageWallet()
    const program = await startProgram(kind)
    await expect(program.connect()).rejects.toThrow(UnauthorizedError)
    await allow(program, wallet)
    const client = await program.connect()
    expect(await listHires(client)).toMatchObject({ structuredContent: { hires: [] } })

    const first = program.stored.tokens?.access_token ?? ''
    expect(decodeJwt(first)).toMatchObject({ sub: wallet.address, permissions: ['agents:hire'] })
    await site.service.clock.travelTo(site.service.clock.now() + 5 * HOUR_MS)
    expect(await listHires(client)).toMatchObject({ structuredContent: { hires: [] } })
    expect(program.stored.tokens?.access_token).not.toBe(first)

    const { call } = await site.service.signIn(keyOf(wallet))
    const { body } = await call('GET', '/oauth/grants')
    const [connection] = body.connections as { id: string; name: string; host?: string }[]
    expect(connection).toMatchObject({ name: 'Test Program' })
    expect(connection?.host).toBeUndefined()
    await call('DELETE', `/oauth/grants/${connection?.id}`)
    await expect(listHires(client)).rejects.toThrow(UnauthorizedError)
    expect(program.stored.opened.map(({ pathname }) => pathname)).toEqual([
      '/console/connect',
      '/console/connect',
    ])
  })
})

it('asks for more access when a tool needs a permission that it lacks', async () => {
  const wallet = createPageWallet()
  const program = await startProgram('modern', '/v1/mcp')
  const client = await program.connect()
  await expect(listHires(client)).rejects.toThrow(UnauthorizedError)
  await allow(program, wallet)
  expect(await listHires(client)).toMatchObject({ structuredContent: { hires: [] } })
  const charge = {
    name: 'report_charge',
    arguments: { agentId: crypto.randomUUID(), wallet: wallet.address },
  }
  await expect(client.callTool(charge)).rejects.toThrow()
  expect(program.stored.opened.at(-1)?.searchParams.get('scope')).toBe('read agents:hire agents:charge')
})

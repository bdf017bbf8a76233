import { createSignInMessage } from '@solana/wallet-standard-util'
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, type KeyWallet, signerOf, walletFromSecretKey } from '../../lib/cli/wallet.ts'
import {
  answerChallenge,
  type Client,
  type ClientOptions,
  createClient,
  fromWalletStandard,
  type Progress,
  type RequestOf,
  type VerifiedWebhook,
  verifyWebhook,
  type Wallet,
} from '../../lib/client/index.ts'
import { ISSUER } from '../support/oauth.ts'
import { type Service, startService } from '../support/service.ts'
import { connectionOf, createStaker, DAY, ONE, travel } from '../support/staker.ts'
import { createWallet as createBrowserWallet, PHANTOM } from '../support/wallets.ts'
import { eventually } from '../support/webhooks.ts'

/* The client as dApps use it, against the Workers. */

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** A client by the service's clock; it sleeps by moving that clock. */
const clientOf = (wallet?: Wallet, options: Partial<ClientOptions> = {}): Client =>
  createClient({
    baseUrl: `${service.origin}/v1`,
    origin: ISSUER,
    wallet,
    now: () => service.clock.now(),
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      await travel(service, ms)
    },
    ...options,
  })

const clientFor = (wallet: KeyWallet = createWallet()) => clientOf(signerOf(wallet))

const AGENT: RequestOf<'POST /agents/register'>['body'] = {
  name: 'Client agent',
  agentType: 'autonomous',
  supportedLayers: [1, 17],
}

const offerAgent = (client = clientFor()) => client.call('POST /agents/register', { body: AGENT })

/** Something that the client calls as `fetch`, and how often each method and path was asked for. */
function countingFetch() {
  const counts: Record<string, number> = {}
  const counting: typeof fetch = (input, init) => {
    const name = `${init?.method} ${new URL(String(input)).pathname.replace('/v1', '')}`
    counts[name] = (counts[name] ?? 0) + 1
    return fetch(input, init)
  }
  return { counts, fetch: counting }
}

describe('the marketplace', () => {
  it('is used from the registration to the end of a hire, amounts exact', async () => {
    const [developer, user] = [clientFor(), clientFor()]
    const agent = await offerAgent(developer)
    expect(await clientOf().call('GET /agents/{id}', { path: { id: agent.id } })).toMatchObject(AGENT)
    const budgetLimit = 2n ** 53n - 1n
    const hire = await user.hire({ agentId: agent.id, layers: [17], budgetLimit })
    expect(hire).toMatchObject({ status: 'active', budgetLimit, agent: { id: agent.id } })
    await expect(user.hire({ agentId: agent.id })).rejects.toMatchObject({
      code: 'already_hired',
      status: 409,
    })
    await expect(user.hire({ agentId: agent.id, layers: [99] })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'layers.0' }],
      requestId: expect.stringMatching(/./),
    })
    await expect(user.hire({ agentId: agent.id, budgetLimit: 2n ** 53n })).rejects.toMatchObject({
      code: 'invalid_request',
      status: undefined,
      cause: expect.any(RangeError),
    })
    expect(await user.call('DELETE /agents/hire', { query: { id: hire.id } })).toMatchObject({
      status: 'terminated',
      budgetLimit,
    })
  })

  it('lists and events are walked over all their pages', async () => {
    const [developer, user] = [clientFor(), clientFor()]
    const agents = await Promise.all([1, 2, 3, 4, 5].map(() => offerAgent(developer)))
    for (const { id } of agents) await user.hire({ agentId: id })
    const hired: string[] = []
    for await (const { agent } of user.list('GET /agents/hire', { query: { limit: 2 } })) hired.push(agent.id)
    expect(hired.sort()).toEqual(agents.map(({ id }) => id).sort())
    const logged = async () => {
      const types: string[] = []
      for await (const { type } of developer.events()) types.push(type)
      return types.sort()
    }
    const five = (type: string) => Array<string>(5).fill(type)
    await expect.poll(logged).toEqual([...five('agent.registered'), ...five('hire.created')])
  })
})

describe('a session', () => {
  it('is one login for many calls at once, and one more when it has ended', async () => {
    const { counts, fetch } = countingFetch()
    const client = clientOf(signerOf(createWallet()), { fetch })
    const calls = () => Promise.all(Array.from({ length: 12 }, () => client.call('GET /agents/hire')))
    await calls()
    expect(counts).toEqual({ 'GET /auth/handshake': 1, 'POST /auth/handshake': 1, 'GET /agents/hire': 12 })
    await travel(service, DAY)
    await calls()
    expect(counts).toMatchObject({ 'POST /auth/handshake': 2, 'GET /agents/hire': 24 })
  })

  it('is ended with all others of its wallet by revoke; these log in again on a call', async () => {
    const wallet = signerOf(createWallet())
    const [here, there] = [countingFetch(), countingFetch()]
    const kept: unknown[] = []
    const client = clientOf(wallet, { fetch: here.fetch, onSession: (session) => kept.push(session) })
    const other = clientOf(wallet, { fetch: there.fetch })
    const [{ sessionToken }] = [await client.login(), await other.login()]
    await client.revoke()
    expect(kept.at(-1)).toBeUndefined()
    const headers = { authorization: `Bearer ${sessionToken}` }
    expect(await service.call('GET', '/agents/hire', { headers })).toMatchObject({
      status: 401,
      body: { code: 'session_revoked' },
    })
    expect((await other.call('GET /agents/hire')).count).toBe(0)
    expect(there.counts).toMatchObject({ 'POST /auth/handshake': 2, 'GET /agents/hire': 2 })
    expect(here.counts).toMatchObject({ 'POST /auth/handshake': 1, 'POST /auth/revoke': 1 })
  })

  it('that the service refuses is renewed, even if it is valid by this clock', async () => {
    const { counts, fetch } = countingFetch()
    const started = service.clock.now()
    const client = clientOf(signerOf(createWallet()), { fetch, now: () => started })
    await client.login()
    await travel(service, DAY + 1)
    expect((await client.call('GET /agents/hire')).count).toBe(0)
    expect(counts).toMatchObject({ 'POST /auth/handshake': 2, 'GET /agents/hire': 2 })
  })

  it('is made by a Wallet Standard wallet that signs in, as the page shows it', async () => {
    const key = createWallet()
    const account = { address: key.publicKey, chains: ['solana:mainnet'], features: [] }
    const seen: object[] = []
    const signIn = async (input: Parameters<NonNullable<Wallet['signIn']>>[0]) => {
      seen.push(input)
      const message = createSignInMessage(input)
      const signature = signerOf(key).signMessage(message)
      return [{ account, signedMessage: message, signature }]
    }
    const wallet = fromWalletStandard({ features: { 'solana:signIn': { signIn } } }, account)
    expect(await clientOf(wallet).login()).toMatchObject({ publicKey: key.publicKey })
    expect(seen).toMatchObject([{ address: key.publicKey, uri: service.origin }])
  })

  it('is refused for a signature by another key', async () => {
    const wallet = { ...signerOf(createWallet()), publicKey: createWallet().publicKey }
    await expect(clientOf(wallet).login()).rejects.toMatchObject({ code: 'login_refused', status: 401 })
  })
})

it('a read is repeated while the database is away, and a write is not', async () => {
  const { id } = await offerAgent()
  const down = async (answers: number, action: () => Promise<unknown>) => {
    let asked = 0
    const fault = (request: Request) => {
      asked += 1
      return asked <= answers ? new Response('down', { status: 502 }) : service.database.handler(request)
    }
    await service.withFault(fault, action)
    return asked
  }
  await down(4, async () => {
    expect(await clientOf().call('GET /agents/{id}', { path: { id } })).toMatchObject({ id })
  })
  const user = clientFor()
  await user.login()
  await down(9, async () => {
    await expect(user.hire({ agentId: id })).rejects.toMatchObject({ code: 'dependency_unavailable' })
  })
})

it('verifies webhooks with the listed keys, and answers the first challenge', async () => {
  const { keys } = await clientOf().call('GET /events/keys')
  const wallet = createWallet()
  const received: VerifiedWebhook[] = []
  service.onWebhook(async (request) => {
    const webhook = { headers: request.headers, body: new Uint8Array(await request.arrayBuffer()) }
    const verified = await verifyWebhook(webhook, { keys }, { now: service.clock.now() })
    const proof = await answerChallenge(verified, wallet.publicKey)
    if (proof) return new Response(proof)
    received.push(verified)
    return new Response(null, { status: 204 })
  })
  const webhookUrl = 'https://client-hooks.example.com/'
  const client = clientFor(wallet)
  const { id } = await client.call('POST /agents/register', { body: { ...AGENT, webhookUrl } })
  await eventually('the webhook arrives', () => received.length === 1)
  expect(received).toMatchObject([{ event: { type: 'agent.registered', data: { agentId: id } } }])
  expect(await client.call('GET /events/endpoints/{id}', { path: { id } })).toMatchObject({ proof: 'proven' })
})

/** A wallet with SOL and CRED, its client, and the steps of its flows. */
async function createUser(kind: 'guards' | 'plain' | 'sends', cred: bigint | number = 1000n * BigInt(ONE)) {
  const keypair = Keypair.generate()
  const key = walletFromSecretKey(keypair.secretKey)
  const staker = await createStaker(service, cred, keypair)
  const signMessage = signerOf(key).signMessage
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const wallets: Record<typeof kind, Wallet> = {
    plain: signerOf(key),
    guards: {
      publicKey: key.publicKey,
      signMessage,
      signTransaction: (bytes) =>
        Buffer.from(createBrowserWallet(keypair, PHANTOM).sign(base64(bytes)), 'base64'),
    },
    sends: {
      publicKey: key.publicKey,
      signMessage,
      signAndSendTransaction: (bytes) =>
        connectionOf(service).sendRawTransaction(
          Buffer.from(createBrowserWallet(keypair).sign(base64(bytes)), 'base64'),
        ),
    },
  }
  const client = clientOf(wallets[kind])
  const steps: string[] = []
  const onStep = ({ step }: Progress) => steps.push(step)
  return { client, staker, owner: key.publicKey, steps, onStep, wallet: wallets[kind] }
}

const WALLET_FIRST = ['build', 'sign', 'send', 'wait']

describe.each([
  ['guards', [...WALLET_FIRST, ...WALLET_FIRST]],
  ['plain', [...WALLET_FIRST, ...WALLET_FIRST]],
  ['sends', ['build', 'sign', 'wait']],
] as const)('a wallet that signs (%s)', (kind, expected) => {
  it('stakes, claims and withdraws', async () => {
    const { client, owner, steps, onStep, staker } = await createUser(kind)
    const amount = 100n * BigInt(ONE)
    const staked = await client.stake({ amount, lockDays: 7 }, { onStep })
    expect(staked).toMatchObject({ status: 'landed', kind: 'stack', positionId: 0 })
    expect(steps).toEqual(expected)
    const vault = await client.call('GET /vault', { query: { owner } })
    expect(vault).toMatchObject({
      balances: { cred: amount, stacked: amount },
      positions: [{ id: 0, amount }],
    })
    await expect(client.unstake({ positionId: 0 })).rejects.toMatchObject({
      code: 'position_locked',
      step: 'build',
    })

    await travel(service, 3 * DAY)
    expect(await client.claim()).toMatchObject({ status: 'landed', kind: 'claim', positionIds: [0] })
    const { positions } = await client.call('GET /vault', { query: { owner } })
    expect(positions[0]?.claimed).toBeGreaterThan(0n)

    await travel(service, 4 * DAY)
    expect(await client.unstake({ positionId: 0 })).toMatchObject({ status: 'landed', kind: 'unstack' })
    expect(await staker.cred()).toBe(1000n * BigInt(ONE) + (amount * 800n * 7n) / (10_000n * 365n))
    await expect(client.claim()).rejects.toMatchObject({ code: 'nothing_to_claim', step: 'build' })
  })
})

describe('a stake', () => {
  it('of more than the wallet has is refused before the wallet is asked', async () => {
    const { client, steps, onStep } = await createUser('sends', ONE)
    const stake = client.stake({ amount: 2n * BigInt(ONE), lockDays: 7 }, { onStep })
    await expect(stake).rejects.toMatchObject({ code: 'not_funded', step: 'build' })
    expect(steps).toEqual(['build'])
  })

  it('that the wallet does not send expires, and can be made again', async () => {
    const { client, wallet, owner } = await createUser('sends')
    const idle = clientOf({ ...wallet, signAndSendTransaction: async () => undefined })
    await expect(idle.stake({ amount: 5n, lockDays: 7 })).rejects.toMatchObject({
      code: 'transaction_expired',
      step: 'wait',
    })
    expect(await client.stake({ amount: 5n, lockDays: 7 })).toMatchObject({ status: 'landed' })
    expect((await client.call('GET /vault', { query: { owner } })).positions).toHaveLength(1)
  })

  it('is refused with a reason when the wallet has signed another message', async () => {
    const { client, wallet } = await createUser('plain')
    await client.stake({ amount: 5n, lockDays: 7 })
    const swapped = clientOf({
      ...wallet,
      signTransaction: async (bytes) =>
        bytes.map((byte, index) => (index === bytes.length - 1 ? byte ^ 1 : byte)),
    })
    await expect(swapped.stake({ amount: 5n, lockDays: 7 })).rejects.toMatchObject({
      code: 'transaction_not_ours',
      step: 'send',
      transactionId: expect.stringMatching(/-/),
    })
  })

  it('is sent again when its relay was cut off, and lands once', async () => {
    const { wallet, owner } = await createUser('plain')
    let cut = 0
    const client = clientOf(wallet, {
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        if (!String(input).endsWith('/vault/transactions') || cut++ % 2 === 1) return response
        throw new TypeError('cut off')
      },
    })
    await client.stake({ amount: 5n, lockDays: 7 })
    expect(cut).toBe(4)
    const { positions } = await client.call('GET /vault', { query: { owner } })
    expect(positions).toHaveLength(1)
  })
})

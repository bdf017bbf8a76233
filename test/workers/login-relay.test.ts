import { base58 } from '@scure/base'
import { createSignInMessage } from '@solana/wallet-standard-util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import { createClient, type LoginMethod, type Wallet } from '../../lib/client/index.ts'
import { offchainMessage } from '../../lib/solana/off-chain.ts'
import { ISSUER } from '../support/oauth.ts'
import { type Answer, type Body, type Service, startService } from '../support/service.ts'

/* A hostile host passes on challenges of the service, and redeems its users' signatures there. */

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth'] })
})
afterAll(() => service.stop())

const HOST = 'https://evil.example'
const METHODS = ['signIn', 'signOffchainMessage', 'signMessage'] as const

/** A stock wallet that can do all, and how often it signed. */
function stockWallet(key: KeyWallet) {
  let signatures = 0
  const signed = (signedMessage: Uint8Array) => {
    signatures += 1
    return { signature: base58.decode(key.sign(signedMessage)), signedMessage }
  }
  const wallet: Wallet = {
    publicKey: key.publicKey,
    signIn: (input) => signed(createSignInMessage(input as Parameters<typeof createSignInMessage>[0])),
    signOffchainMessage: (text) => signed(offchainMessage(text, base58.decode(key.publicKey))),
    signMessage: (message) => signed(message),
  }
  return { wallet, signatures: () => signatures }
}

type Challenge = Body & { challenge: string; signInInput: Body }

const challengeOf = async (wallet: string, headers: Record<string, string> = {}) =>
  (await service.call('GET', `/auth/handshake?publicKey=${wallet}`, { headers })).body as Challenge

const consentTo = {
  kind: 'token',
  name: 'x',
  permissions: ['agents:hire'],
  spendLimit: 5_000_000_000,
  days: 30,
}

/** Makes a challenge name the hostile host in place of the service. */
const renamed = <T>(challenge: T): T =>
  JSON.parse(JSON.stringify(challenge).replaceAll(`${ISSUER}/v1`, `${HOST}/v1`))

/** What the host answers to a login, and where it redeems the signature. */
type Relay = { challenge: (wallet: string) => Promise<Body>; redeem: (answer: Body) => Promise<Answer> }

const redeem: Relay['redeem'] = (answer) => service.call('POST', '/auth/handshake', { body: answer })

const RELAYS: Record<string, Relay> = {
  'the challenge of its own Origin': {
    challenge: (wallet) => challengeOf(wallet, { origin: HOST }),
    redeem,
  },
  'the challenge of no Origin': { challenge: (wallet) => challengeOf(wallet), redeem },
  'the challenge of a page that the user trusts': {
    challenge: (wallet) => challengeOf(wallet, { origin: 'https://app.example.com' }),
    redeem,
  },
  'a text that any wallet may sign': {
    challenge: async () => (await service.call('GET', '/auth/handshake', { headers: { origin: HOST } })).body,
    redeem,
  },
  'the service’s text, with an input that names the host': {
    challenge: async (wallet) => {
      const challenge = await challengeOf(wallet, { origin: HOST })
      return { ...challenge, signInInput: renamed(challenge.signInInput) }
    },
    redeem,
  },
  'the service’s input, with a text that names the host': {
    challenge: async (wallet) => {
      const challenge = await challengeOf(wallet, { origin: HOST })
      return { ...challenge, challenge: renamed(challenge.challenge) }
    },
    redeem,
  },
  'a consent': {
    challenge: async (publicKey) => {
      const body = { ...consentTo, publicKey }
      return (await service.call('POST', '/oauth/grants/challenge', { headers: { origin: ISSUER }, body }))
        .body
    },
    redeem: (answer) => {
      const body = { ...consentTo, ...answer }
      return service.call('POST', '/oauth/grants', { headers: { origin: ISSUER }, body })
    },
  },
}

/** A client of the hostile host, and the statuses that the host got from the service. */
function userOf(relay: Relay, wallet: Wallet) {
  const redeemed: number[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    if (init?.method === 'GET') return Response.json(await relay.challenge(wallet.publicKey))
    const { status, text } = await relay.redeem(JSON.parse(String(init?.body)))
    redeemed.push(status)
    return new Response(text, { status })
  }
  return { redeemed, client: createClient({ baseUrl: `${HOST}/v1`, fetch, wallet }) }
}

describe('the client of a hostile host', () => {
  it.each(
    Object.keys(RELAYS).flatMap((name) => METHODS.map((method): [string, LoginMethod] => [name, method])),
  )('signs nothing when the host passes on %s (%s)', async (name, method) => {
    const { wallet, signatures } = stockWallet(createWallet())
    const { client, redeemed } = userOf(RELAYS[name] as Relay, wallet)
    const failed = await client.login({ method }).catch((error: unknown) => error)
    expect({ signatures: signatures(), redeemed }).toEqual({ signatures: 0, redeemed: [] })
    expect(failed).toMatchObject({ code: 'challenge_unexpected' })
  })

  it('names both services in the error', async () => {
    const relay = RELAYS['the challenge of its own Origin'] as Relay
    await expect(userOf(relay, stockWallet(createWallet()).wallet).client.login()).rejects.toThrow(
      `not a login of ${HOST}: it has "- ${ISSUER}/v1"`,
    )
  })

  it.each(METHODS)('signs what is of no use at the service (%s)', async (method) => {
    const own: Relay = {
      challenge: async (wallet) => renamed(await challengeOf(wallet, { origin: HOST })),
      redeem,
    }
    const { wallet } = stockWallet(createWallet())
    const { client, redeemed } = userOf(own, wallet)
    await expect(client.login({ method })).rejects.toMatchObject({ code: 'login_refused' })
    expect(redeemed).toEqual([401])
  })
})

describe('the client of the service', () => {
  it.each(METHODS)('logs in through a proxy, whose service it names as origin (%s)', async (method) => {
    const { wallet } = stockWallet(createWallet())
    const direct = createClient({ baseUrl: `${service.origin}/v1/`, origin: ISSUER, wallet })
    expect(await direct.login({ method })).toMatchObject({ publicKey: wallet.publicKey })
    const proxy: typeof fetch = (url, init) =>
      fetch(String(url).replace(`${HOST}/api`, service.origin), {
        ...init,
        headers: { ...init?.headers, origin: HOST },
      })
    const proxied = createClient({ baseUrl: `${HOST}/api/v1`, origin: `${ISSUER}/`, wallet, fetch: proxy })
    expect(await proxied.login({ method })).toMatchObject({ publicKey: wallet.publicKey })
  })
})

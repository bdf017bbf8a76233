import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../lib/auth/session/token.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import { generateSessionKeys } from '../../lib/tools/keys/jwks.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { ISSUER } from '../support/oauth.ts'
import { answerTo, type Body, type Service, startService } from '../support/service.ts'

const operator = createWallet()
const oracle = createWallet()
let service: Service
beforeAll(async () => {
  service = await startService({
    stopped: true,
    groups: ['auth', 'agents'],
    bindings: { OPERATOR_WALLETS: `${operator.publicKey}, `, ORACLE_WALLETS: oracle.publicKey },
  })
})
afterAll(() => service.stop())

const post = (body: unknown) => service.call('POST', '/auth/handshake', { body })
const challengeFor = async (query = '', headers: Record<string, string> = {}) =>
  (await service.call('GET', `/auth/handshake${query}`, { headers })).body

describe('a challenge', () => {
  it('has every field of AuthChallenge, in milliseconds', async () => {
    const before = service.clock.now()
    const challenge = await challengeFor()
    expect(challenge).toEqual({
      protocol: 'agentcred-auth',
      version: '2.0.0',
      nonce: expect.stringMatching(/^[0-9a-f]{76}$/),
      challenge: expect.stringContaining(String(challenge.nonce)),
      expiresIn: 300_000,
      expiresAt: expect.any(Number),
    })
    const madeAt = Number(challenge.expiresAt) - 300_000
    expect(madeAt).toBeGreaterThanOrEqual(before - 1_000)
    expect(madeAt).toBeLessThanOrEqual(service.clock.now() + 1_000)
  })

  it('names the page that asks, and the service when no page does', async () => {
    expect((await challengeFor('', { origin: 'https://app.example.com:8443' })).challenge).toContain(
      'Domain: app.example.com:8443\n',
    )
    expect((await challengeFor()).challenge).toContain(`Domain: ${new URL(service.origin).host}\n`)
  })

  it('names the service by API_ORIGIN, whatever the page and the address of the request', async () => {
    const { publicKey } = createWallet()
    for (const origin of ['https://app.example.com', 'https://api.agentcred.example', 'null']) {
      expect((await challengeFor('', { origin })).challenge).toContain(`\nService: ${ISSUER}/v1\n`)
      const { challenge, signInInput } = await challengeFor(`?publicKey=${publicKey}`, { origin })
      expect(challenge).toMatch(/\nResources:\n- https:\/\/api\.agentcred\.example\/v1$/)
      expect(signInInput).toMatchObject({ resources: [`${ISSUER}/v1`] })
    }
  })

  it('is never stored by a cache', async () => {
    const { headers } = await service.call('GET', '/auth/handshake')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('etag')).toBeNull()
  })

  it('rejects text that is not a public key', async () => {
    for (const key of ['', 'abc', '0'.repeat(44), `1${createWallet().publicKey}`]) {
      const answer = await service.call('GET', `/auth/handshake?publicKey=${key}`)
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toEqual([{ path: 'publicKey', message: expect.stringContaining('Base58') }])
    }
  })
})

describe('a login', () => {
  it('returns every field of AuthSession, valid for 24 hours', async () => {
    const wallet = createWallet()
    const session = await post(answerTo(await challengeFor(), wallet))
    expect(session.status).toBe(200)
    expect(session.body).toEqual({
      status: 'AUTHENTICATED',
      sessionToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresAt: expect.any(Number),
      publicKey: wallet.publicKey,
      permissions: [
        'agents:register',
        'agents:hire',
        'agents:charge',
        'vault:transact',
        'jobs:use',
        'jobs:decide',
        'jobs:judge',
        'reputation:attest',
        'reputation:verify',
      ],
    })
    const ahead = Number(session.body.expiresAt) - service.clock.now()
    expect(ahead).toBeGreaterThan(24 * 3_600_000 - 60_000)
    expect(ahead).toBeLessThanOrEqual(24 * 3_600_000)
  })

  it('accepts exactly one of fifty concurrent posts of one nonce', async () => {
    const body = answerTo(await challengeFor(), createWallet())
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49)
  })

  it('grants oracle and operator wallets their permissions', async () => {
    const asOperator = await post(answerTo(await challengeFor(), operator))
    expect(asOperator.body.permissions).toContain('agents:moderate')
    expect(asOperator.body.permissions).not.toContain('oracle:decide')
    const asOracle = await post(answerTo(await challengeFor(), oracle))
    expect(asOracle.body.permissions).toContain('oracle:decide')
    expect(asOracle.body.permissions).not.toContain('agents:moderate')
  })

  it('accepts the off-chain message that a Ledger signs', async () => {
    const wallet = createWallet()
    const challenge = await challengeFor()
    const text = new TextEncoder().encode(String(challenge.challenge))
    const envelope = Buffer.concat([
      Buffer.from([0xff]),
      Buffer.from('solana offchain'),
      Buffer.from([0, 1, text.length & 0xff, text.length >> 8]),
      text,
    ])
    const session = await post({ ...answerTo(challenge, wallet), signature: wallet.sign(envelope) })
    expect(session.status).toBe(200)
  })

  it('accepts a Sign-In-With-Solana message, from its wallet only', async () => {
    const wallet = createWallet()
    const challenge = await challengeFor(`?publicKey=${wallet.publicKey}`, {
      origin: 'https://app.example.com',
    })
    expect(challenge.challenge).toMatch(/^app\.example\.com wants you to sign in with your Solana account:\n/)
    expect(challenge.signInInput).toMatchObject({ address: wallet.publicKey, nonce: challenge.nonce })
    expect((await post(answerTo(challenge, createWallet()))).status).toBe(401)
    expect((await post(answerTo(challenge, wallet))).status).toBe(200)
  })

  it('puts an agent into the token only when the wallet owns it', async () => {
    const { wallet, call } = await service.signIn()
    const registration = { name: 'Token agent', agentType: 'oracle', supportedLayers: [1] }
    const agent = await call('POST', '/agents/register', { body: registration })
    const claims = async (wallet: typeof operator, agentId: unknown) => {
      const session = await post({ ...answerTo(await challengeFor(), wallet), agentId })
      return JSON.parse(
        Buffer.from(String(session.body.sessionToken).split('.')[1] ?? '', 'base64url').toString(),
      )
    }
    expect(await claims(wallet, agent.body.id)).toMatchObject({
      sub: wallet.publicKey,
      agentId: agent.body.id,
    })
    expect(await claims(createWallet(), agent.body.id)).not.toHaveProperty('agentId')
    expect(await claims(wallet, 'not a uuid')).not.toHaveProperty('agentId')
  })
})

describe('a login is rejected', () => {
  const refused = async (body: Body) => {
    const answer = await post(body)
    expect(answer.status).toBe(401)
    expect(answer.body.code).toBe('login_refused')
    return answer.body.detail
  }

  it('for a wrong key, another text or undecodable strings, with the same answer', async () => {
    const wallet = createWallet()
    const challenge = await challengeFor()
    const good = answerTo(challenge, wallet)
    const details = new Set([
      await refused({ ...good, signature: createWallet().sign(String(challenge.challenge)) }),
      await refused({ ...good, signature: wallet.sign(`${challenge.challenge} `) }),
      await refused({ ...good, publicKey: createWallet().publicKey }),
      await refused({ ...good, signature: '' }),
      await refused({ ...good, signature: 'not base58 0OIl' }),
      await refused({ ...good, signature: '1'.repeat(60_000) }),
      await refused({ ...good, publicKey: 'abc' }),
      await refused({ ...good, publicKey: '1'.repeat(60_000) }),
      await refused({ ...good, nonce: '' }),
      await refused({ ...good, nonce: 'x'.repeat(1000) }),
      await refused({ ...good, nonce: '0'.repeat(32) }),
    ])
    expect(details.size).toBe(1)
    // None of these attempts has spent the nonce.
    expect((await post(good)).status).toBe(200)
    await refused(good)
  })

  it('for the System Program’s key with a matching signature', async () => {
    const signature = systemProgramSignature()
    for (let i = 0; i < 20; i++) {
      const { nonce } = await challengeFor()
      await refused({ nonce, signature, publicKey: '1'.repeat(32) })
    }
  })

  it('once the challenge has expired, to the millisecond', async () => {
    const late = answerTo(await challengeFor(), createWallet())
    await service.clock.travelTo(service.clock.now() + 300_000)
    await refused(late)
    const early = answerTo(await challengeFor(), createWallet())
    await service.clock.travelTo(service.clock.now() + 290_000)
    expect((await post(early)).status).toBe(200)
  })

  it('with 400 and the field’s name when a field is missing, not a string or unknown', async () => {
    const good = answerTo(await challengeFor(), createWallet())
    for (const field of ['nonce', 'signature', 'publicKey']) {
      const { [field as keyof typeof good]: _, ...rest } = good
      expect((await post(rest)).body).toMatchObject({
        status: 400,
        code: 'invalid_request',
        errors: [{ path: field, message: 'is required' }],
      })
      expect((await post({ ...good, [field]: 7 })).body).toMatchObject({
        status: 400,
        errors: [{ path: field }],
      })
    }
    expect((await post({ ...good, agentId: 'x'.repeat(65) })).body).toMatchObject({
      errors: [{ path: 'agentId' }],
    })
    expect((await post({ ...good, publickey: 'x' })).body).toMatchObject({
      errors: [{ path: 'publickey', message: 'is not a field of this request' }],
    })
  })
})

describe('a session token', () => {
  const wallet = createWallet().publicKey as Wallet
  const session = { wallet, permissions: ['agents:hire' as const] }
  const use = (token: string, at = service) => at.call('GET', '/agents/hire', { token })
  const expectInvalid = async (token: string) => {
    const answer = await use(token)
    expect(answer.status).toBe(401)
    expect(answer.body.code).toBe('token_invalid')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="agentcred", error="invalid_token"')
  }
  const now = () => new Date(service.clock.now())

  it('is required, with the challenge of RFC 6750', async () => {
    const answer = await service.call('GET', '/agents/hire')
    expect(answer.status).toBe(401)
    expect(answer.body.code).toBe('token_missing')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="agentcred"')
    expect((await use('')).status).toBe(401)
    expect(
      (await service.call('GET', '/agents/hire', { headers: { authorization: 'Basic abc' } })).status,
    ).toBe(401)
  })

  it('is rejected when it is forged, foreign or expired', async () => {
    const { token } = await issueSession(service.keys.SESSION_SIGNING_KEY, session, now())
    expect((await use(token)).status).toBe(200)
    const foreign = await generateSessionKeys(now())
    await expectInvalid((await issueSession(foreign.SESSION_SIGNING_KEY, session, now())).token)
    const dayAgo = new Date(service.clock.now() - 24 * 3_600_000)
    await expectInvalid((await issueSession(service.keys.SESSION_SIGNING_KEY, session, dayAgo)).token)
    const publicBytes = new TextEncoder().encode(service.keys.SESSION_JWKS)
    const hs256 = new SignJWT({ permissions: [] }).setProtectedHeader({ alg: 'HS256', typ: 'session+jwt' })
    await expectInvalid(await hs256.setSubject(wallet).sign(publicBytes))
    const [, payload] = token.split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'session+jwt' })).toString('base64url')
    await expectInvalid(`${none}.${payload}.`)
    const at = token.lastIndexOf('.') + 1
    await expectInvalid(`${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`)
    await expectInvalid('garbage')
  })

  it('is rejected without the permission that the operation needs', async () => {
    const weak = { wallet, permissions: ['vault:transact' as const] }
    const { token } = await issueSession(service.keys.SESSION_SIGNING_KEY, weak, now())
    const answer = await use(token)
    expect(answer.status).toBe(403)
    expect(answer.body.code).toBe('permission_missing')
    expect(answer.headers.get('www-authenticate')).toContain('scope="agents:hire"')
  })

  it('stays valid while its key is rotated', async () => {
    const before = await generateSessionKeys(now())
    const after = await generateSessionKeys(now(), before.SESSION_JWKS)
    const rotated = await startService({ groups: ['auth', 'agents'], keys: after })
    try {
      const old = await issueSession(before.SESSION_SIGNING_KEY, session, new Date())
      expect((await use(old.token, rotated)).status).toBe(200)
      expect((await use((await rotated.signIn()).token, rotated)).status).toBe(200)
      const published = (await rotated.call('GET', '/auth/jwks.json')).body.keys
      expect(published).toHaveLength(2)
      expect(JSON.stringify(published)).not.toContain('"d"')
    } finally {
      await rotated.stop()
    }
  })
})

/** Base58 of 01 and 63 zero bytes: R is the identity, S is zero. */
function systemProgramSignature(): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let value = 1n << 504n
  let text = ''
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)] + text
  return text
}

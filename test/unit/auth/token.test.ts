import { base58 } from '@scure/base'
import fc from 'fast-check'
import { decodeJwt, decodeProtectedHeader, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../lib/api-error.ts'
import {
  issueAccessToken,
  issueSession,
  type Session,
  verifySession,
} from '../../../lib/auth/session/token.ts'
import { generateSessionKeys, type SessionKeys } from '../../../lib/tools/keys/jwks.ts'
import type { Wallet } from '../../../schema/wallet.ts'

const DAY_MS = 86_400_000
const issuedAt = new Date('2026-11-01T12:00:00.000Z')
const later = (ms: number) => new Date(issuedAt.getTime() + ms)

const session = (): Session => ({
  wallet: base58.encode(crypto.getRandomValues(new Uint8Array(32))) as Wallet,
  epoch: 3,
  permissions: ['agents:register', 'agents:hire'],
  expiresAt: issuedAt.getTime() + DAY_MS,
})

/** Keys and a session of theirs. */
async function loggedIn(input: Parameters<typeof issueSession>[1] = session()) {
  const keys = await generateSessionKeys(issuedAt)
  const { token, expiresAt } = await issueSession(keys.SESSION_SIGNING_KEY, input, issuedAt)
  return { keys, token, expiresAt, input }
}

const refusal = (keys: SessionKeys, token: string, now: Date = later(1000)) =>
  verifySession(keys.SESSION_JWKS, token, now).then(
    () => undefined,
    (error: unknown) => error,
  )

async function expectRefused(keys: SessionKeys, token: string, now?: Date) {
  const error = await refusal(keys, token, now)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    code: 'token_invalid',
    details: { challenge: { error: 'invalid_token' } },
  })
}

/** A token made with the real key in which anything may be different. */
async function forged(
  keys: SessionKeys,
  change: {
    header?: Record<string, unknown>
    claims?: JWTPayload
    without?: string
    signingKey?: CryptoKey | Uint8Array
  },
) {
  const jwk = JSON.parse(keys.SESSION_SIGNING_KEY)
  const seconds = issuedAt.getTime() / 1000
  const claims: JWTPayload = {
    iss: 'agentcred-auth',
    aud: 'agentcred-api',
    sub: session().wallet,
    permissions: ['agents:hire'],
    iat: seconds,
    exp: seconds + 86_400,
    ...change.claims,
  }
  if (change.without !== undefined) delete claims[change.without]
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'session+jwt', kid: jwk.kid, ...change.header })
    .sign(change.signingKey ?? (await importJWK(jwk, 'EdDSA')))
}

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

describe('a session token', () => {
  it('decodes to the session that it was issued for', async () => {
    const { keys, token, input } = await loggedIn()
    expect(await verifySession(keys.SESSION_JWKS, token, later(1000))).toEqual(input)
  })

  it('contains the agent if there is one', async () => {
    const { keys, token, input } = await loggedIn({
      ...session(),
      agentId: '0190a1b2-0000-7000-8000-000000000001',
    })
    expect(await verifySession(keys.SESSION_JWKS, token, later(1000))).toEqual(input)
  })

  it('has the header and claims of the design, and no others', async () => {
    const { keys, token, input } = await loggedIn()
    const { kid } = JSON.parse(keys.SESSION_SIGNING_KEY)
    const seconds = issuedAt.getTime() / 1000
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'session+jwt', kid })
    expect(decodeJwt(token)).toEqual({
      iss: 'agentcred-auth',
      aud: 'agentcred-api',
      sub: input.wallet,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: seconds,
      exp: seconds + 86_400,
      gen: input.epoch,
      permissions: input.permissions,
    })
  })

  it('has session epoch 0 when it carries none', async () => {
    const { keys, token } = await loggedIn({ ...session(), epoch: undefined })
    expect(decodeJwt(token)).not.toHaveProperty('gen')
    expect(await verifySession(keys.SESSION_JWKS, token, later(1000))).toMatchObject({ epoch: 0 })
  })

  it('has a unique id', async () => {
    const { keys, input, token } = await loggedIn()
    const second = await issueSession(keys.SESSION_SIGNING_KEY, input, issuedAt)
    expect(decodeJwt(second.token).jti).not.toBe(decodeJwt(token).jti)
  })

  it('is valid for exactly 24 hours, with its expiry in milliseconds', async () => {
    const { keys, token, expiresAt, input } = await loggedIn()
    expect(expiresAt).toBe(issuedAt.getTime() + DAY_MS)
    expect(await verifySession(keys.SESSION_JWKS, token, later(DAY_MS - 1))).toEqual(input)
    await expectRefused(keys, token, later(DAY_MS))
    await expectRefused(keys, token, later(DAY_MS + 1000))
  })

  it('never reports an expiry later than the real one', async () => {
    const keys = await generateSessionKeys(issuedAt)
    await fc.assert(
      fc.asyncProperty(fc.nat(999), async (ms) => {
        const { token, expiresAt } = await issueSession(keys.SESSION_SIGNING_KEY, session(), later(ms))
        await verifySession(keys.SESSION_JWKS, token, new Date(expiresAt - 1))
        await expectRefused(keys, token, new Date(expiresAt))
        expect(expiresAt).toBeLessThanOrEqual(issuedAt.getTime() + ms + DAY_MS)
      }),
      { numRuns: 20 },
    )
  })

  it('asks to log in again only when it has expired', async () => {
    const { keys, token } = await loggedIn()
    expect(await refusal(keys, token, later(DAY_MS))).toMatchObject({
      message: expect.stringContaining('expired'),
    })
    expect(await refusal(keys, `${token}x`)).toMatchObject({ message: 'The session token is not valid.' })
  })
})

describe('a session token is rejected', () => {
  it('only when it was changed', async () => {
    const { keys } = await loggedIn()
    const twin = await verifySession(keys.SESSION_JWKS, await forged(keys, {}), later(1000))
    expect(twin.permissions).toEqual(['agents:hire'])
  })

  it('with alg none', async () => {
    const { keys, token } = await loggedIn()
    const [, payload] = token.split('.')
    const { kid } = JSON.parse(keys.SESSION_SIGNING_KEY)
    for (const alg of ['none', 'None', 'NONE', '']) {
      await expectRefused(keys, `${encoded({ alg, typ: 'session+jwt', kid })}.${payload}.`)
    }
  })

  it('with HS256 keyed by anything public', async () => {
    const { keys } = await loggedIn()
    const [jwk] = JSON.parse(keys.SESSION_JWKS).keys
    for (const secret of [
      Buffer.from(jwk.x, 'base64url'),
      Buffer.from(jwk.x),
      Buffer.from(keys.SESSION_JWKS),
    ]) {
      await expectRefused(
        keys,
        await forged(keys, { header: { alg: 'HS256' }, signingKey: new Uint8Array(secret) }),
      )
    }
  })

  it('with another asymmetric algorithm', async () => {
    const { keys } = await loggedIn()
    const { privateKey } = await generateKeyPair('ES256')
    await expectRefused(keys, await forged(keys, { header: { alg: 'ES256' }, signingKey: privateKey }))
  })

  it('with any alg but EdDSA, even if the key set names none', async () => {
    const { keys, token } = await loggedIn()
    const [{ alg: _, ...jwk }] = JSON.parse(keys.SESSION_JWKS).keys
    const unmarked = { ...keys, SESSION_JWKS: JSON.stringify({ keys: [jwk] }) }
    await verifySession(unmarked.SESSION_JWKS, token, later(1000))
    await expectRefused(unmarked, await forged(keys, { header: { alg: 'Ed25519' } }))
  })

  it('when another key signs with the same kid', async () => {
    const { keys } = await loggedIn()
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    await expectRefused(keys, await forged(keys, { signingKey: privateKey }))
  })

  it('with an unknown kid', async () => {
    const { keys } = await loggedIn()
    await expectRefused(keys, await forged(keys, { header: { kid: 'another' } }))
  })

  it('with a key of its own in the header', async () => {
    const { keys } = await loggedIn()
    const attacker = await generateSessionKeys(issuedAt)
    const [jwk] = JSON.parse(attacker.SESSION_JWKS).keys
    const { kid } = JSON.parse(keys.SESSION_SIGNING_KEY)
    const signingKey = await importJWK(JSON.parse(attacker.SESSION_SIGNING_KEY), 'EdDSA')
    if (signingKey instanceof Uint8Array) throw new Error('not an asymmetric key')
    await expectRefused(keys, await forged(keys, { header: { jwk, kid }, signingKey }))
  })

  it.each([
    ['another issuer', { iss: 'someone-else' }],
    ['another audience', { aud: 'another-api' }],
    ['an expiry that is no number', { exp: 'tomorrow' as unknown as number }],
    ['an expiry a second ago', { exp: issuedAt.getTime() / 1000 }],
    ['a start in the future', { nbf: issuedAt.getTime() / 1000 + 3600 }],
  ])('with %s', async (_title, claims) => {
    const { keys } = await loggedIn()
    await expectRefused(keys, await forged(keys, { claims }))
  })

  it.each(['iss', 'aud', 'sub', 'exp', 'permissions'])('without %s', async (without) => {
    const { keys } = await loggedIn()
    await expectRefused(keys, await forged(keys, { without }))
  })

  it.each(['JWT', 'at+jwt', 'code+jwt', 'refresh+jwt', 'client+jwt', 'request+jwt', undefined])(
    'with the type %s',
    async (typ) => {
      const { keys } = await loggedIn()
      await expectRefused(keys, await forged(keys, { header: { typ } }))
    },
  )

  it('with a changed payload', async () => {
    const { keys, token } = await loggedIn()
    const [header, payload, signature] = token.split('.')
    const claims = { ...decodeJwt(token), permissions: ['agents:moderate'] }
    await expectRefused(keys, [header, encoded(claims), signature].join('.'))
    for (let i = 0; i < (payload ?? '').length; i++) {
      const changed = payload?.slice(0, i) + (payload?.[i] === 'A' ? 'B' : 'A') + payload?.slice(i + 1)
      await expectRefused(keys, [header, changed, signature].join('.'))
    }
  })

  it('when it is any other text', async () => {
    const { keys, token } = await loggedIn()
    const parts = token.split('.')
    const headers = fc.oneof(
      fc.json(),
      fc
        .record(
          {
            alg: fc.constantFrom('EdDSA', 'Ed25519', 'HS256'),
            kid: fc.anything(),
            crit: fc.anything(),
            b64: fc.boolean(),
          },
          { requiredKeys: [] },
        )
        .map((header) => JSON.stringify(header)),
    )
    const tokens = fc.oneof(
      fc.string(),
      headers.map((header) => [Buffer.from(header).toString('base64url'), parts[1], parts[2]].join('.')),
      fc.json().map((payload) => [parts[0], Buffer.from(payload).toString('base64url'), parts[2]].join('.')),
      fc.string().map((signature) => [parts[0], parts[1], signature].join('.')),
    )
    await fc.assert(fc.asyncProperty(tokens, (text) => expectRefused(keys, text)))
  })
})

describe('an access token', () => {
  const resource = 'https://api.agentcred.example/v1/mcp'
  const grant = '0190a1b2-0000-7000-8000-000000000002'
  const access = {
    ...session(),
    grant,
    clientId: 'https://app.example.com/client.json',
    audience: resource,
    expiresAt: later(4 * 3_600_000),
  }
  const issued = async () => {
    const keys = await generateSessionKeys(issuedAt)
    return { keys, ...(await issueAccessToken(keys.SESSION_SIGNING_KEY, access, issuedAt)) }
  }
  const verify = (keys: SessionKeys, token: string, now = later(1000), of: string | undefined = resource) =>
    verifySession(keys.SESSION_JWKS, token, now, of)

  it('has the claims of a session, one audience, its grant and its client', async () => {
    const { keys, token } = await issued()
    const { kid } = JSON.parse(keys.SESSION_SIGNING_KEY)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'session+jwt', kid })
    expect(decodeJwt(token)).toEqual({
      iss: 'agentcred-auth',
      aud: resource,
      sub: access.wallet,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: issuedAt.getTime() / 1000,
      exp: issuedAt.getTime() / 1000 + 14_400,
      gen: 3,
      permissions: access.permissions,
      grant,
      client_id: access.clientId,
    })
  })

  it('is the session of its grant at its resource, until it expires', async () => {
    const { keys, token } = await issued()
    const { wallet, epoch, permissions } = access
    const expiresAt = access.expiresAt.getTime()
    const expected = { wallet, epoch, permissions, grant, expiresAt }
    expect(await verify(keys, token)).toEqual(expected)
    expect(await verify(keys, token, new Date(expiresAt - 1))).toEqual(expected)
    await expect(verify(keys, token, new Date(expiresAt))).rejects.toMatchObject({ code: 'token_invalid' })
  })

  it('is rejected where no resource is accepted, or another one', async () => {
    const { keys, token } = await issued()
    await expectRefused(keys, token)
    for (const other of ['https://api.agentcred.example', `${resource}/`, `${resource}/wallet`, ''])
      await expect(verify(keys, token, later(1000), other)).rejects.toMatchObject({ code: 'token_invalid' })
  })

  it('does not keep a session from the same resource', async () => {
    const { keys, token, input } = await loggedIn()
    expect(await verify(keys, token)).toEqual(input)
  })

  it.each<[string, JWTPayload]>([
    ['both audiences', { aud: ['agentcred-api', resource], grant }],
    ['both audiences and no grant', { aud: [resource, 'agentcred-api'] }],
    ['a list of one audience', { aud: [resource], grant }],
    ['no grant', { aud: resource }],
    ['a grant that is no text', { aud: resource, grant: 1 }],
    ['the audience of sessions', { aud: 'agentcred-api', grant }],
    ['an audience of null', { aud: null as unknown as string, grant }],
  ])('is rejected with %s, everywhere', async (_title, claims) => {
    const { keys } = await loggedIn()
    const token = await forged(keys, { claims })
    await expectRefused(keys, token)
    await expect(verify(keys, token)).rejects.toMatchObject({ code: 'token_invalid' })
  })

  it('is rejected without an audience where no resource is accepted', async () => {
    const { keys } = await loggedIn()
    await expectRefused(keys, await forged(keys, { claims: { grant }, without: 'aud' }))
  })
})

describe('rotation', () => {
  const kids = (keys: SessionKeys): string[] =>
    JSON.parse(keys.SESSION_JWKS).keys.map((key: { kid: string }) => key.kid)

  it('keeps tokens of the previous key valid next to those of the new key', async () => {
    const first = await loggedIn()
    const second = await generateSessionKeys(later(1000), first.keys.SESSION_JWKS)
    const fresh = await issueSession(second.SESSION_SIGNING_KEY, first.input, issuedAt)
    expect(await verifySession(second.SESSION_JWKS, first.token, later(1000))).toEqual(first.input)
    expect(await verifySession(second.SESSION_JWKS, fresh.token, later(1000))).toEqual(first.input)
    await expectRefused(first.keys, fresh.token)
  })

  it('rejects a token without a kid while the set has two keys', async () => {
    const first = await generateSessionKeys(issuedAt)
    const second = await generateSessionKeys(later(1000), first.SESSION_JWKS)
    await expectRefused(second, await forged(second, { header: { kid: undefined } }))
  })

  it('keeps only the newest and the previous key, newest first', async () => {
    const first = await loggedIn()
    const second = await generateSessionKeys(later(1000), first.keys.SESSION_JWKS)
    const third = await generateSessionKeys(later(2000), second.SESSION_JWKS)
    expect(kids(third)).toEqual([JSON.parse(third.SESSION_SIGNING_KEY).kid, ...kids(second).slice(0, 1)])
    await expectRefused(third, first.token)
  })

  it('publishes nothing of the private key', async () => {
    const first = await generateSessionKeys(issuedAt)
    const second = await generateSessionKeys(later(1000), first.SESSION_JWKS)
    const fields = ['alg', 'crv', 'kid', 'kty', 'use', 'x']
    for (const key of JSON.parse(second.SESSION_JWKS).keys) expect(Object.keys(key).sort()).toEqual(fields)
    expect(JSON.parse(second.SESSION_SIGNING_KEY)).toHaveProperty('d')
  })
})

import { createHmac } from 'node:crypto'
import { base58, base64urlnopad } from '@scure/base'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import { signToken } from '../support/access.ts'
import { register } from '../support/agents.ts'
import { callRaw } from '../support/mcp.ts'
import { newConnections, signJwt } from '../support/new-connections.ts'
import { ISSUER, oauthClient, postForm } from '../support/oauth.ts'
import { operations } from '../support/openapi-texts.ts'
import { type Body, type Service, startService } from '../support/service.ts'

let service: Service
let connections: ReturnType<typeof newConnections>
let program: ReturnType<typeof oauthClient>
beforeAll(async () => {
  service = await startService({ stopped: true })
  connections = newConnections(service)
  program = oauthClient(service)
})
afterAll(() => service.stop())

const DAY = 86_400_000
const later = (ms: number) => service.clock.travelTo(service.clock.now() + ms)
const seconds = () => Math.floor(service.clock.now() / 1000)
const statementOf = (challenge: Body) => String(challenge.challenge).split('\n')[3]
const minuteIn = (days: number) =>
  `${new Date(service.clock.now() + days * DAY).toISOString().slice(0, 16).replace('T', ' ')} UTC`
const login = { status: 401, body: { code: 'login_refused' } }
const ofKey = (key: KeyWallet = createWallet()) => ({ kind: 'key', key: key.publicKey })

/** Calls a tool, and returns what it answered: the result, or the error's reason. */
async function tool(access: unknown, name: string, args: object = {}): Promise<Body> {
  const { status, body } = await callRaw(service, name, args, { authorization: `Bearer ${access}` })
  if (status !== 200) return { status, ...body }
  const result = Object(body.result)
  return result.isError ? JSON.parse(result.content[0].text) : result.structuredContent
}

/** Hires within the limit of 5 lamports, and tries to hire beyond it. */
async function hireAtLimit(access: unknown): Promise<void> {
  const owner = await service.signIn()
  const [first, second] = [await register(owner.call), await register(owner.call)]
  expect(await tool(access, 'hire_agent', { agentId: first.id, budgetLimit: '3' })).toMatchObject({
    status: 'active',
  })
  expect(await tool(access, 'hire_agent', { agentId: second.id, budgetLimit: '3' })).toMatchObject({
    code: 'spend_limit_exceeded',
  })
}

describe('a challenge', () => {
  it('names what is allowed and until when, for a token', async () => {
    const choices = { permissions: ['vault:transact', 'agents:hire'], spendLimit: 5_000_000_000, days: 7 }
    const sent = await service.countSql(async () => {
      const { status, body } = await connections.challenge(createWallet(), choices)
      expect(status).toBe(200)
      expect(statementOf(body)).toBe(
        `Allow the holder of a new access token to use AgentCred for this wallet until ${minuteIn(7)}: read its hires, charges and events; hire agents with budgets of at most 5 CRED in total, and end hires; prepare staking transactions. Sign only if you started this yourself.`,
      )
      expect(body.challenge).toMatch(/^api\.agentcred\.example wants you to sign in/)
    })
    expect(sent).toBe(0)
  })

  it('names the key, and nothing in the words of the user', async () => {
    const key = createWallet()
    const choices = { ...ofKey(key), name: 'Zzé 😀', permissions: [], days: 90 }
    const { body } = await connections.challenge(createWallet(), choices)
    expect(statementOf(body)).toBe(
      `Allow the key ${key.publicKey} to use AgentCred for this wallet until ${minuteIn(90)}: read its hires, charges and events. Sign only if you started this yourself.`,
    )
    expect(body.challenge).toMatch(/^[\x20-\x7e\n]+$/)
    expect(body.challenge).not.toContain('Zz')
  })

  it.each<[string, Body, string]>([
    ['a key is missing', { kind: 'key' }, 'key'],
    ['a token has a key', { ...ofKey(), kind: 'token' }, 'key'],
    ['the key is no key', { kind: 'key', key: 'abc' }, 'key'],
    ['anybody can sign for the key', { kind: 'key', key: '1'.repeat(32) }, 'key'],
    ['the key is not canonical', { kind: 'key', key: base58.encode(new Uint8Array(32).fill(255)) }, 'key'],
    ['the key is off the curve', { kind: 'key', key: base58.encode(Uint8Array.of(2, ...ZEROS)) }, 'key'],
    ['a token lasts 90 days', { days: 90 }, 'days'],
    ['it lasts two days', { days: 2 }, 'days'],
    ['a limit limits nothing', { permissions: ['agents:charge'], spendLimit: 5 }, 'spendLimit'],
    ['a role is asked for', { permissions: ['oracle:decide'] }, 'permissions.0'],
    ['another permission is asked for', { permissions: ['agents:register'] }, 'permissions.0'],
    ['the kind is an app', { kind: 'app' }, 'kind'],
    ['it has no name', { name: ' ' }, 'name'],
    ['its name is long', { name: 'n'.repeat(61) }, 'name'],
  ])('is refused by name when %s', async (_title, choices, path) => {
    const wallet = createWallet()
    const refused = { status: 400, body: { code: 'invalid_request', errors: [{ path }] } }
    expect(await connections.challenge(wallet, choices)).toMatchObject(refused)
    const challenged = (await connections.challenge(wallet)).body
    expect(await connections.create(challenged, wallet, choices)).toMatchObject(refused)
  })

  it('is refused when the key is the wallet’s own', async () => {
    const wallet = createWallet()
    const { status, body } = await connections.challenge(wallet, ofKey(wallet))
    expect([status, body.errors]).toEqual([
      400,
      [{ path: 'key', message: 'must not be the wallet’s own key' }],
    ])
  })

  it.each([
    undefined,
    'null',
    'https://evil.example',
    `${ISSUER}.evil.example`,
    'http://api.agentcred.example',
  ])('is refused when the page’s origin is %s', async (origin) => {
    const wallet = createWallet()
    const refused = { status: 403, body: { code: 'origin_refused' } }
    const headers: Record<string, string> = origin === undefined ? {} : { origin }
    const body = { kind: 'token', name: 'a', permissions: [], days: 1, publicKey: wallet.publicKey }
    expect(await service.call('POST', '/oauth/grants/challenge', { body, headers })).toMatchObject(refused)
    const good = (await connections.challenge(wallet)).body
    expect(await connections.create(good, wallet, {}, {}, headers)).toMatchObject(refused)
  })
})

const ZEROS = new Uint8Array(31)

describe('a signed consent', () => {
  it('creates one connection by one statement, and works once', async () => {
    const wallet = createWallet()
    const challenged = (await connections.challenge(wallet)).body
    const sent = await service.countSql(async () => {
      const { status, body, headers } = await connections.create(challenged, wallet)
      expect(status).toBe(201)
      expect(body).toEqual({
        id: expect.any(String),
        token: expect.any(String),
        expiresAt: new Date(service.clock.now() + 30 * DAY).toISOString(),
      })
      expect(headers.get('cache-control')).toBe('no-store')
    })
    expect(sent).toBe(1)
    expect(await connections.create(challenged, wallet)).toMatchObject(login)
    const { body } = await (await service.signIn(wallet)).call('GET', '/oauth/grants')
    expect(body.connections).toHaveLength(1)
  })

  it('is refused without a statement when anything differs from what was signed', async () => {
    const wallet = createWallet()
    const choices = { ...ofKey(), permissions: ['agents:hire'], spendLimit: 1_000, days: 7 }
    const challenged = (await connections.challenge(wallet, choices)).body
    const sent = await service.countSql(async () => {
      for (const changed of [
        { kind: 'token', key: undefined },
        { key: createWallet().publicKey },
        { name: 'Another' },
        { permissions: ['agents:hire', 'agents:charge'] },
        { spendLimit: 2_000 },
        { spendLimit: undefined },
        { days: 90 },
      ])
        expect(await connections.create(challenged, wallet, { ...choices, ...changed })).toMatchObject(login)
      expect(await connections.create(challenged, createWallet(), choices)).toMatchObject(login)
      const signature = base58.encode(new Uint8Array(64).fill(1))
      expect(await connections.create(challenged, wallet, choices, { signature })).toMatchObject(login)
      expect(await connections.create(challenged, wallet, choices, { nonce: 'x' })).toMatchObject(login)
    })
    expect(sent).toBe(0)
    expect((await connections.create(challenged, wallet, choices)).status).toBe(201)
  })

  it('takes no nonce of a login or of a program’s consent, which take none of it', async () => {
    const wallet = createWallet()
    const { request } = (await program.open(await program.registered())).body
    const ofProgram = (await program.challenge(request, wallet)).body
    const handshake = `/auth/handshake?publicKey=${wallet.publicKey}`
    const ofLogin = (await service.call('GET', handshake, { headers: { origin: ISSUER } })).body
    for (const other of [ofProgram, ofLogin])
      expect(await connections.create(other, wallet)).toMatchObject(login)
    const own = (await connections.challenge(wallet)).body
    expect(await program.consent(request, own, wallet)).toMatchObject(login)
    const answer = {
      nonce: own.nonce,
      publicKey: wallet.publicKey,
      signature: wallet.sign(String(own.challenge)),
    }
    expect(
      await service.call('POST', '/auth/handshake', { body: answer, headers: { origin: ISSUER } }),
    ).toMatchObject(login)
    expect((await connections.create(own, wallet)).status).toBe(201)
  })

  it('takes a request token as a name, with which no consent is signed', async () => {
    const wallet = createWallet()
    const { request } = (await program.open(await program.registered())).body
    const ofProgram = (await program.challenge(request, wallet)).body
    const named = await connections.create(ofProgram, wallet, { name: String(request).slice(0, 60) })
    expect(named).toMatchObject(login)
  })

  it('is refused five minutes after its challenge', async () => {
    const wallet = createWallet()
    const challenged = (await connections.challenge(wallet)).body
    await later(300_000)
    expect(await connections.create(challenged, wallet)).toMatchObject(login)
  })

  it('is refused above the limit of its address, with programs’ consents, when its wallet has paid nothing', async () => {
    const limited = await startService({
      stopped: true,
      groups: ['auth'],
      bindings: { CONSENTS_PER_ADDRESS: '2' },
    })
    try {
      const own = newConnections(limited)
      await oauthClient(limited).connect()
      const wallet = createWallet()
      expect((await own.allow(wallet)).token).toBeDefined()
      const challenged = (await own.challenge(wallet)).body
      const refused = await own.create(challenged, wallet)
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
      expect(refused.headers.get('retry-after')).toBeTruthy()
      const { body } = await (await limited.signIn(wallet)).call('GET', '/oauth/grants')
      expect(body.connections).toHaveLength(1)
    } finally {
      await limited.stop()
    }
  })
})

describe('a token', () => {
  it('hires within its limit, and is refused once its wallet ends it', async () => {
    const wallet = createWallet()
    const { id, token } = await connections.allow(wallet, { spendLimit: 5, days: 1 })
    expect(decodeJwt(String(token))).toMatchObject({
      sub: wallet.publicKey,
      aud: `${ISSUER}/v1/mcp`,
      permissions: ['agents:hire'],
      grant: id,
      client_id: 'token',
      exp: seconds() + 86_400,
    })
    await hireAtLimit(token)
    const { call } = await service.signIn(wallet)
    expect((await call('GET', '/oauth/grants')).body.connections).toEqual([
      {
        id,
        kind: 'token',
        name: 'My research agent',
        permissions: ['agents:hire'],
        spendLimit: 5,
        committed: 3,
        createdAt: new Date(service.clock.now()).toISOString(),
        lastUsedAt: new Date(service.clock.now()).toISOString(),
        expiresAt: new Date(service.clock.now() + DAY).toISOString(),
      },
    ])
    await call('DELETE', `/oauth/grants/${id}`)
    expect(await tool(token, 'list_my_hires')).toMatchObject({ status: 401, code: 'session_revoked' })
  })

  it('works until its end and no longer', async () => {
    const { token } = await connections.allow(createWallet(), { days: 1 })
    await later(DAY - 1_000)
    expect(await tool(token, 'list_my_hires')).toMatchObject({ count: 0 })
    await later(2_000)
    expect(await tool(token, 'list_my_hires')).toMatchObject({ status: 401, code: 'token_invalid' })
  })

  it.each<[string, (access: string, wallet: KeyWallet) => Promise<unknown>]>([
    [
      'its wallet ends all sessions',
      async (_, wallet) => (await service.signIn(wallet)).call('POST', '/auth/revoke'),
    ],
    ['it is shown to the revocation', (token) => postForm(service, '/oauth/revoke', { token })],
  ])('ends when %s', async (_title, end) => {
    const wallet = createWallet()
    const token = String((await connections.allow(wallet)).token)
    await end(token, wallet)
    expect(await tool(token, 'list_my_hires')).toMatchObject({ status: 401, code: 'session_revoked' })
  })

  it('is published to its wallet’s log', async () => {
    const wallet = createWallet()
    const { id } = await connections.allow(wallet, { spendLimit: 7 })
    const { events } = (await (await service.signIn(wallet)).call('GET', '/events')).body
    expect(events).toMatchObject([
      {
        type: 'access.granted',
        data: {
          grantId: id,
          kind: 'token',
          name: 'My research agent',
          permissions: ['agents:hire'],
          spendLimit: 7,
        },
      },
    ])
    expect((events as Body[])[0]?.data).not.toHaveProperty('host')
  })

  it('may only read when nothing else is allowed', async () => {
    const { token } = await connections.allow(createWallet(), { permissions: [] })
    expect(await tool(token, 'list_events')).toMatchObject({ events: [{ type: 'access.granted' }] })
    expect(await tool(token, 'hire_agent', { agentId: crypto.randomUUID() })).toMatchObject({
      status: 403,
      code: 'permission_missing',
    })
  })
})

describe('an agent’s key', () => {
  it('gets access tokens by assertions, hires within its limit, and is refused once it ends', async () => {
    const { id, clientId, key, wallet } = await connections.allowKey(createWallet(), {
      spendLimit: 5,
      days: 90,
    })
    const { kid } = JSON.parse(service.keys.SESSION_SIGNING_KEY)
    expect(decodeProtectedHeader(clientId)).toEqual({ alg: 'EdDSA', typ: 'key+jwt', kid })
    expect(decodeJwt(clientId)).toEqual({
      iss: ISSUER,
      sub: wallet.publicKey,
      grant: id,
      key: key.publicKey,
      iat: seconds(),
      exp: seconds() + 90 * 86_400,
    })
    let access = ''
    const sent = await service.countSql(async () => {
      const { status, body, headers } = await connections.ask(connections.assert(clientId, key))
      expect(status).toBe(200)
      expect(body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 14_400,
        scope: 'read agents:hire',
      })
      expect(headers.get('cache-control')).toBe('no-store')
      access = String(body.access_token)
    })
    expect(sent).toBe(1)
    expect(decodeJwt(access)).toMatchObject({
      sub: wallet.publicKey,
      aud: `${ISSUER}/v1/mcp`,
      grant: id,
      client_id: `key:${key.publicKey}`,
    })
    await hireAtLimit(access)
    const { call } = await service.signIn(wallet)
    const listed = (await call('GET', '/oauth/grants')).body.connections as Body[]
    expect(listed).toMatchObject([{ id, kind: 'key', key: key.publicKey, committed: 3 }])
    expect(listed[0]).not.toHaveProperty('host')
    await call('DELETE', `/oauth/grants/${id}`)
    expect(await tool(access, 'list_my_hires')).toMatchObject({ status: 401, code: 'session_revoked' })
    expect(await connections.ask(connections.assert(clientId, key))).toMatchObject({
      status: 400,
      body: { code: 'invalid_grant', error: 'invalid_grant' },
    })
  })

  it('may ask for fewer permissions, and names its client if it likes', async () => {
    const { clientId, key } = await connections.allowKey(createWallet(), {
      permissions: ['agents:hire', 'vault:transact'],
    })
    const ask = (changes: Record<string, string>) =>
      connections.ask(connections.assert(clientId, key), changes)
    const fewer = await ask({ scope: 'read vault:transact oracle:decide agents:charge', client_id: clientId })
    expect([fewer.status, fewer.body.scope]).toEqual([200, 'read vault:transact'])
    const whole = await ask({ resource: `${ISSUER}/v1/mcp/wallet` })
    expect(whole.body.scope).toBe('read agents:hire vault:transact')
    const elsewhere = await ask({ resource: 'https://evil.example' })
    expect(elsewhere).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
  })

  it('gets no access token that outlives its grant', async () => {
    const { clientId, key } = await connections.allowKey(createWallet(), { days: 1 })
    await later(DAY - 3_600_000)
    const { body } = await connections.ask(connections.assert(clientId, key))
    expect(body.expires_in).toBe(3_600)
    await later(3_600_000)
    expect((await connections.ask(connections.assert(clientId, key))).body.error).toBe('invalid_client')
  })

  it('ends with all sessions of its wallet', async () => {
    const { clientId, key, wallet } = await connections.allowKey()
    await (await service.signIn(wallet)).call('POST', '/auth/revoke')
    expect((await connections.ask(connections.assert(clientId, key))).body.error).toBe('invalid_grant')
  })

  it('ends when its access token is shown to the revocation, and not by its client id', async () => {
    const { clientId, key } = await connections.allowKey()
    const access = String((await connections.ask(connections.assert(clientId, key))).body.access_token)
    await postForm(service, '/oauth/revoke', { token: clientId })
    expect(await tool(access, 'list_my_hires')).toMatchObject({ count: 0 })
    await postForm(service, '/oauth/revoke', { token: access })
    expect((await connections.ask(connections.assert(clientId, key))).body.error).toBe('invalid_grant')
  })

  it('ends when it is unused for 30 days', async () => {
    const { clientId, key } = await connections.allowKey(createWallet(), { days: 90 })
    await later(29 * DAY)
    expect((await connections.ask(connections.assert(clientId, key))).status).toBe(200)
    await later(30 * DAY)
    expect((await connections.ask(connections.assert(clientId, key))).body.error).toBe('invalid_grant')
  })

  it('is ended as the least recently used of 21', async () => {
    const wallet = createWallet()
    const first = await connections.allowKey(wallet)
    await later(1_000)
    for (let i = 0; i < 20; i++) await connections.allow(wallet)
    expect((await connections.ask(connections.assert(first.clientId, first.key))).body.error).toBe(
      'invalid_grant',
    )
    const { body } = await (await service.signIn(wallet)).call('GET', '/oauth/grants')
    expect(body.connections).toHaveLength(20)
  })

  it('is refused when the service does not reach its database, and asks again with a new assertion', async () => {
    const { clientId, key } = await connections.allowKey()
    const down = () => new Response(null, { status: 503 })
    await service.withFault(down, async () => {
      expect(await connections.ask(connections.assert(clientId, key))).toMatchObject({
        status: 503,
        body: { code: 'dependency_unavailable', error: 'temporarily_unavailable' },
      })
    })
    expect((await connections.ask(connections.assert(clientId, key))).status).toBe(200)
  })
})

describe('an assertion', () => {
  const TEXT =
    'The client assertion is not valid. Sign a new one with the allowed key and the service’s time (its Date header), or have the wallet allow the key again.'
  const refused = {
    status: 400,
    body: {
      code: 'invalid_client',
      error: 'invalid_client',
      detail: TEXT,
      errors: [{ path: 'client_assertion', message: 'is not valid' }],
    },
  }
  let clientId: string
  let key: KeyWallet
  beforeAll(async () => {
    const allowed = await connections.allowKey(createWallet(), { days: 90 })
    clientId = allowed.clientId
    key = allowed.key
  })

  /** Expects that a request is refused in the one text, and reaches no database. */
  async function expectRefused(assertion: string, changes: Record<string, string> = {}): Promise<void> {
    const sent = await service.countSql(async () => {
      expect(await connections.ask(assertion, changes)).toMatchObject(refused)
    })
    expect(sent).toBe(0)
  }

  it('is valid but for the changes of these tests', async () => {
    expect((await connections.ask(connections.assert(clientId, key))).status).toBe(200)
  })

  it.each<[string, () => Body]>([
    ['its audience is an array', () => ({ aud: [ISSUER] })],
    ['its audience has another service', () => ({ aud: [ISSUER, 'https://evil.example'] })],
    ['its audience is the token endpoint', () => ({ aud: `${ISSUER}/v1/oauth/token` })],
    ['its audience is the MCP server', () => ({ aud: `${ISSUER}/v1/mcp` })],
    ['its audience ends in a slash', () => ({ aud: `${ISSUER}/` })],
    ['it has no audience', () => ({ aud: undefined })],
    ['it has no end', () => ({ exp: undefined })],
    ['it ends later than in five minutes', () => ({ exp: seconds() + 361 })],
    ['it never ends', () => ({ exp: 1e21 })],
    ['its end is a text', () => ({ exp: String(seconds() + 60) })],
    ['it ended more than a minute ago', () => ({ exp: seconds() - 60 })],
    ['it is not valid yet', () => ({ nbf: seconds() + 61 })],
    ['it was made in the future', () => ({ iat: seconds() + 61 })],
    ['it has no id', () => ({ jti: undefined })],
    ['its id is empty', () => ({ jti: '' })],
    ['its id is long', () => ({ jti: 'j'.repeat(256) })],
    ['its id is a number', () => ({ jti: 5 })],
    ['its issuer is another', () => ({ iss: ISSUER })],
    ['it has no issuer', () => ({ iss: undefined })],
    ['it has no subject', () => ({ sub: undefined })],
    ['its subject is no text', () => ({ sub: { a: 1 } })],
    ['its subject is the wallet', () => ({ sub: decodeJwt(clientId).sub })],
  ])('is refused without a statement when %s', async (_title, claims) => {
    await expectRefused(connections.assert(clientId, key, claims()))
  })

  it('is taken at the bounds of its claims', async () => {
    const now = seconds()
    for (const claims of [
      { exp: now + 360, iat: undefined },
      { exp: now - 59, nbf: now + 60 },
      { iat: now + 60, jti: 'j'.repeat(255) },
      { jti: 'j' },
    ])
      expect((await connections.ask(connections.assert(clientId, key, claims))).status).toBe(200)
    const untyped = connections.assert(clientId, key, {}, { typ: undefined })
    expect((await connections.ask(untyped)).status).toBe(200)
  })

  it('is refused when another key signed it, or its own client id names another key', async () => {
    const other = createWallet()
    await expectRefused(connections.assert(clientId, other))
    const claims = { ...decodeJwt(clientId), key: other.publicKey }
    const [head, , signature] = clientId.split('.')
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    for (const forged of [
      [head, payload, signature].join('.'),
      signJwt(other, claims, { typ: 'key+jwt', kid: decodeProtectedHeader(clientId).kid }),
      `${Buffer.from('{"alg":"none","typ":"key+jwt"}').toString('base64url')}.${payload}.`,
    ])
      await expectRefused(connections.assert(forged, other))
    const [, , own] = connections.assert(clientId, key).split('.')
    const [ownHead, ownPayload] = connections.assert(clientId, key).split('.')
    await expectRefused([ownHead, ownPayload, own].join('.'))
  })

  it('is refused when its algorithm is another', async () => {
    const { key: publicKey } = decodeJwt<{ key: string }>(clientId)
    const parts = (alg: string) =>
      connections.assert(clientId, key, {}, { alg }).split('.').slice(0, 2).join('.')
    await expectRefused(`${parts('none')}.`)
    for (const secret of [base58.decode(publicKey), Buffer.from(publicKey)]) {
      const signed = parts('HS256')
      await expectRefused(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`)
    }
    for (const alg of ['none', 'HS256', 'ES256', 'Ed25519', 'eddsa', ''])
      await expectRefused(connections.assert(clientId, key, {}, { alg }))
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: base64urlnopad.encode(base58.decode(publicKey)) }
    const stranger = createWallet()
    await expectRefused(connections.assert(clientId, stranger, {}, { jwk }))
    await expectRefused(connections.assert(clientId, key, {}, { crit: ['b64'], b64: false }))
  })

  it.each(['session+jwt', 'client+jwt', 'code+jwt', 'refresh+jwt', 'key+jwt', 'application/Key+JWT'])(
    'is refused when its type is %s',
    (typ) => expectRefused(connections.assert(clientId, key, {}, { typ })),
  )

  it('is refused when it is malformed, and taken with an unknown type', async () => {
    const [head, payload, signature] = connections.assert(clientId, key).split('.')
    for (const parts of [
      ['', payload, signature],
      ['!', payload, signature],
      ['bnVsbA', payload, signature],
      [head, payload, ''],
      [head, payload, '!'],
      [head, payload],
      [head, payload, signature, ''],
      [head, 'bnVsbA', signature],
      ['', head, '', payload, signature],
    ])
      await expectRefused(parts.join('.'))
    for (const typ of [5, null, {}, 'client-authentication+jwt']) {
      const { status } = await connections.ask(connections.assert(clientId, key, {}, { typ }))
      expect(status).toBe(200)
    }
    await expectRefused(connections.assert(clientId, key, { iat: null }))
    await expectRefused(connections.assert(clientId, key, { nbf: 'now' }))
  })

  it('is refused when its client id is a token of another kind', async () => {
    const registered = await program.registered()
    const code = await program.allow(registered)
    const { refresh, access } = await program.connect()
    const session = (await service.signIn()).token
    const now = seconds()
    const claims = { ...decodeJwt(clientId), iat: now, exp: now + 60 }
    const others = [
      registered,
      code,
      refresh,
      access,
      session,
      'x',
      '',
      'https://app.example.com/client.json',
    ]
    for (const typ of ['client+jwt', 'code+jwt', 'session+jwt', 'JWT'])
      others.push(await signToken(service, claims, { typ }))
    others.push(await signToken(service, { ...claims, iss: 'agentcred-auth' }, { typ: 'key+jwt' }))
    for (const other of others) await expectRefused(connections.assert(other, key))
    for (const text of [...others, clientId]) await expectRefused(text)
  })

  it('is refused when the request names another client, or another kind of assertion', async () => {
    const other = (await connections.allowKey()).clientId
    for (const changes of [
      { client_id: other },
      { client_id: '' },
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
      { client_assertion_type: '' },
    ])
      await expectRefused(connections.assert(clientId, key), changes)
    const without = { grant_type: 'client_credentials', client_id: clientId, client_secret: 'x' }
    expect(await postForm(service, '/oauth/token', without)).toMatchObject(refused)
  })

  it('works once, also when five use it at once', async () => {
    const assertion = connections.assert(clientId, key)
    const answers = await Promise.all(Array.from({ length: 5 }, () => connections.ask(assertion)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(refused)
    const { jti } = decodeJwt(assertion)
    expect(await connections.ask(connections.assert(clientId, key, { jti }))).toMatchObject(refused)
  })

  it('stays used until it is no longer valid, when the daily job has deleted old nonces', async () => {
    const assertion = connections.assert(clientId, key)
    expect((await connections.ask(assertion)).status).toBe(200)
    await later(359_000)
    await service.runJob('daily')
    expect(await connections.ask(assertion)).toMatchObject(refused)
    await later(1_000)
    await expectRefused(assertion)
  })

  it('works at its own grant alone, where others may use its id', async () => {
    const wallet = createWallet()
    const choices = { kind: 'key', key: key.publicKey }
    const other = String((await connections.allow(wallet, choices)).clientId)
    const jti = crypto.randomUUID()
    const assertion = connections.assert(clientId, key, { jti })
    expect((await connections.ask(assertion)).status).toBe(200)
    expect(await connections.ask(assertion, { client_id: other })).toMatchObject(refused)
    const [head, payload, signature] = assertion.split('.')
    const elsewhere = { ...decodeJwt(assertion), iss: other, sub: other }
    const changed = Buffer.from(JSON.stringify(elsewhere)).toString('base64url')
    expect(payload).not.toBe(changed)
    await expectRefused([head, changed, signature].join('.'))
    const { body } = await connections.ask(connections.assert(other, key, { jti }))
    expect(decodeJwt(String(body.access_token)).sub).toBe(wallet.publicKey)
  })

  it('is no code and no refresh token, which need their client’s id', async () => {
    for (const grant_type of ['authorization_code', 'refresh_token']) {
      const members = { grant_type, code: 'x', refresh_token: 'x', client_assertion: 'x' }
      const sent = await service.countSql(async () => {
        expect(await postForm(service, '/oauth/token', members)).toMatchObject({
          status: 400,
          body: { code: 'invalid_request', error: 'invalid_request', errors: [{ path: 'client_id' }] },
        })
      })
      expect(sent).toBe(0)
    }
    expect((await program.refresh('x', clientId)).body.error).toBe('invalid_client')
    expect((await program.open(clientId)).body.code).toBe('invalid_client')
  })
})

describe('access tokens of both kinds', () => {
  it('are invalid for every operation of the API, which sends nothing to the database', async () => {
    const { clientId, key } = await connections.allowKey()
    const { body } = await connections.ask(connections.assert(clientId, key))
    const copied = await connections.allow(createWallet(), {
      permissions: ['agents:hire', 'agents:charge', 'vault:transact'],
    })
    const guarded = operations.filter(({ needsSession, path }) => needsSession && path !== '/mcp/wallet')
    expect(guarded.length).toBeGreaterThan(50)
    const accepted: string[] = []
    const send = async () => {
      for (const token of [String(body.access_token), String(copied.token), clientId])
        for (const { id, method, path } of guarded) {
          const one = path.replace('{id}', crypto.randomUUID()).replace(/\{\w+\}/g, 'a')
          const { status, body: answer } = await service.call(method, one, { token })
          if (status !== 401 || answer.code !== 'token_invalid') accepted.push(`${id} ${status}`)
        }
    }
    expect(await service.countSql(send)).toBe(0)
    expect(accepted).toEqual([])
    expect(await tool(clientId, 'list_my_hires')).toMatchObject({ status: 401, code: 'token_invalid' })
  })
})

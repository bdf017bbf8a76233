import { base58 } from '@scure/base'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../lib/auth/session/token.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { CHALLENGE, ISSUER, oauthClient, postForm, REDIRECT, VERIFIER } from '../support/oauth.ts'
import { type Body, type Service, startService } from '../support/service.ts'

let service: Service
let client: ReturnType<typeof oauthClient>
beforeAll(async () => {
  service = await startService({ stopped: true, groups: ['auth'] })
  client = oauthClient(service)
})
afterAll(() => service.stop())

const later = (ms: number) => service.clock.travelTo(service.clock.now() + ms)
const statementOf = (challenge: Body) => String(challenge.challenge).split('\n')[3]
const paramsOf = (url: unknown) => Object.fromEntries(new URL(String(url)).searchParams)

describe('the metadata', () => {
  it('names the issuer exactly, and the endpoints', async () => {
    const { status, body } = await service.call('GET', '/.well-known/oauth-authorization-server')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/console/connect`,
      token_endpoint: `${ISSUER}/v1/oauth/token`,
      registration_endpoint: `${ISSUER}/v1/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })
})

describe('a registration', () => {
  it('holds the redirect URIs that can be used, and stores nothing', async () => {
    const sent = await service.countSql(async () => {
      const { status, body } = await client.register({
        redirect_uris: [
          'cursor://anysphere.cursor-mcp/oauth/callback',
          'http://evil.example/x',
          'http://localhost:8787/cb',
        ],
        client_name: ' Cursor\n',
        grant_types: ['authorization_code'],
        software_id: 'ignored',
      })
      expect(status).toBe(201)
      expect(body).toMatchObject({
        client_name: 'Cursor',
        redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/cb'],
        token_endpoint_auth_method: 'none',
      })
    })
    expect(sent).toBe(0)
  })

  it('is refused in the words of RFC 7591 when it can’t be used', async () => {
    for (const own of ['https://api.agentcred.example/cb', 'https://api.agentcred.example./cb'])
      expect((await client.register({ redirect_uris: [own] })).body.code).toBe('invalid_redirect_uri')
    const unusable = await client.register({ redirect_uris: ['javascript:alert(1)'] })
    expect(unusable).toMatchObject({
      status: 400,
      body: { code: 'invalid_redirect_uri', error: 'invalid_redirect_uri' },
    })
    const empty = await client.register({ redirect_uris: [] })
    expect(empty).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', error: 'invalid_client_metadata' },
    })
  })

  it('can be used when it is as large as one may be, and no larger one is taken', async () => {
    const uriOf = (index: number) => `https://app.example.com/${index}`.padEnd(512, 'x')
    const redirect_uris = Array.from({ length: 10 }, (_, index) => uriOf(index))
    const largest = await client.register({ redirect_uris, client_name: '\u{1f600}'.repeat(60) })
    const changes = { redirect_uri: redirect_uris[9], state: 's'.repeat(2_048) }
    expect((await client.open(String(largest.body.client_id), changes)).status).toBe(200)
    const larger = await client.register({ redirect_uris: [...redirect_uris, uriOf(10)] })
    expect(larger).toMatchObject({ status: 400, body: { errors: [{ path: 'redirect_uris' }] } })
  })

  it('has a name that misleads nobody', async () => {
    for (const client_name of ['', 'a\u202eb', '\u200b', 'x\u0000'])
      expect((await client.register({ client_name })).body.client_name ?? 'refused').toMatch(
        /^(Unnamed program|refused)$/,
      )
    expect(String((await client.register({ client_name: 'n'.repeat(200) })).body.client_name)).toHaveLength(
      60,
    )
  })
})

describe('an authorization request', () => {
  it('shows who asks, where the answer goes and what is asked for', async () => {
    const sent = await service.countSql(async () => {
      const { status, body } = await client.open(await client.registered(), {
        scope: 'agents:hire admin oracle:decide read',
      })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        clientName: 'Example Assistant',
        destination: { kind: 'web', host: 'app.example.com' },
        permissions: ['agents:hire'],
        request: expect.any(String),
      })
      expect(paramsOf(body.refuseUrl)).toEqual({
        error: 'access_denied',
        error_description: 'The user did not allow it.',
        state: 'state 1',
        iss: ISSUER,
      })
    })
    expect(sent).toBe(0)
  })

  it.each([
    ['response_type is not code', { response_type: 'token' }, 'unsupported_response_type'],
    ['there is no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['the challenge is plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['the method is missing', { code_challenge_method: undefined }, 'invalid_request'],
    ['the resource is another', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
  ])('has a problem and a link that says so when %s', async (_title, changes, error) => {
    const { status, body } = await client.open(await client.registered(), changes)
    expect(status).toBe(200)
    expect(body).toMatchObject({ problem: { error } })
    expect(body.request).toBeUndefined()
    expect(paramsOf(body.refuseUrl)).toMatchObject({ error, state: 'state 1', iss: ISSUER })
  })

  it('has no link when the client or the redirect URI is unknown', async () => {
    const clientId = await client.registered()
    const elsewhere = await client.open(clientId, { redirect_uri: 'https://evil.example/callback' })
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'invalid_redirect_uri' } })
    expect(elsewhere.text).not.toContain('evil.example')
    const [head, , signature] = clientId.split('.')
    const payload = Buffer.from(
      JSON.stringify({ ...decodeJwt(clientId), uris: ['https://evil.example/callback'] }),
    )
    const forged = [head, payload.toString('base64url'), signature].join('.')
    for (const id of ['nobody', forged, 'http://app.example.com/client.json', 'https://10.0.0.1/x'])
      expect(await client.open(id)).toMatchObject({ status: 400, body: { code: 'invalid_client' } })
  })
})

describe('a client’s metadata document', () => {
  /** A document that was served once is kept by its URL. */
  const urlOf = (name: string) => `https://app.example.com/${encodeURIComponent(name)}.json`
  const documentAt = (url: string) => ({
    client_id: url,
    client_name: 'Documented',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
  })
  const URL_OF = urlOf('never accepted')
  const document = documentAt(URL_OF)
  const serve = (answer: (request: Request) => Response | Promise<Response>) =>
    service.onProbe(async (request) => answer(request))

  it('names the client and its host', async () => {
    const url = urlOf('named')
    serve(() => Response.json(documentAt(url)))
    expect(await client.open(url)).toMatchObject({
      status: 200,
      body: {
        clientName: 'Documented',
        clientHost: 'app.example.com',
        destination: { kind: 'web', host: 'app.example.com' },
      },
    })
  })

  it.each([
    ['has another client_id', () => Response.json({ ...document, client_id: `${URL_OF}?` })],
    [
      'needs a secret',
      () => Response.json({ ...document, token_endpoint_auth_method: 'client_secret_post' }),
    ],
    ['is no JSON', () => new Response('<html>', { headers: { 'content-type': 'application/json' } })],
    [
      'has another media type',
      () => new Response(JSON.stringify(document), { headers: { 'content-type': 'text/html' } }),
    ],
    ['redirects', () => Response.redirect('https://app.example.com/other.json', 302)],
    ['is an error', () => Response.json(document, { status: 404 })],
    ['is longer than 5 KB', () => Response.json({ ...document, padding: 'x'.repeat(6_000) })],
  ])('is refused when it %s', async (_title, answer) => {
    serve(answer)
    expect(await client.open(URL_OF)).toMatchObject({ status: 400, body: { code: 'invalid_client' } })
  })

  it('can redirect to its own host alone, besides the computer', async () => {
    const url = urlOf('redirecting')
    serve(() =>
      Response.json({
        ...documentAt(url),
        redirect_uris: ['https://evil.example/cb', 'http://localhost/cb'],
      }),
    )
    expect(await client.open(url, { redirect_uri: 'https://evil.example/cb' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_redirect_uri' },
    })
    expect((await client.open(url, { redirect_uri: 'http://localhost:51111/cb' })).body.destination).toEqual({
      kind: 'computer',
    })
  })

  it('is kept for a while once it is accepted, and not while it is refused', async () => {
    const url = urlOf('mended')
    serve(() => new Response(null, { status: 500 }))
    expect((await client.open(url)).status).toBe(400)
    serve(() => Response.json(documentAt(url)))
    expect((await client.open(url)).status).toBe(200)
    serve(() => new Response(null, { status: 500 }))
    expect((await client.open(url)).status).toBe(200)
  })

  it('is not asked for at a private or own address', async () => {
    let asked = 0
    serve(() => {
      asked += 1
      return Response.json(document)
    })
    const urls = [
      'https://api.agentcred.example/x',
      'https://localhost/x',
      'https://127.0.0.1/x',
      'https://a.internal/x',
      'https://app.example.com:8443/x',
      'https://app.example.com/',
    ]
    for (const url of urls)
      expect(await client.open(url)).toMatchObject({ status: 400, body: { code: 'invalid_client' } })
    expect(asked).toBe(0)
  })
})

describe('a consent', () => {
  it('has the wallet sign where the answer goes, what is allowed and until when', async () => {
    const wallet = createWallet()
    const { request } = (await client.open(await client.registered())).body
    const { status, body } = await client.challenge(request, wallet, {
      permissions: ['vault:transact', 'agents:hire'],
      spendLimit: 5_000_000_000,
      days: 30,
    })
    expect(status).toBe(200)
    const end = `${new Date(service.clock.now() + 30 * 86_400_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    expect(statementOf(body)).toBe(
      `Allow app.example.com to use AgentCred for this wallet until ${end}: read its hires, charges and events; hire agents with budgets of at most 5 CRED in total, and end hires; prepare staking transactions. Sign only if you started this yourself.`,
    )
    expect(body.challenge).toMatch(
      /^api\.agentcred\.example wants you to sign in with your Solana account:\n/,
    )
    expect(body.challenge).toMatch(/^[\x20-\x7e\n]+$/)
    expect(String(body.challenge).length).toBeLessThan(700)
  })

  it('answers the client with a code, its state and the issuer', async () => {
    const wallet = createWallet()
    const { request } = (await client.open(await client.registered())).body
    const challenged = (await client.challenge(request, wallet)).body
    const sent = await service.countSql(async () => {
      const { status, body } = await client.consent(request, challenged, wallet)
      expect(status).toBe(200)
      expect(body.redirectTo).toMatch(/^https:\/\/app\.example\.com\/callback\?code=/)
      expect(paramsOf(body.redirectTo)).toEqual({ code: expect.any(String), state: 'state 1', iss: ISSUER })
    })
    expect(sent).toBe(1)
    const again = await client.consent(request, challenged, wallet)
    expect(again).toMatchObject({ status: 401, body: { code: 'login_refused' } })
  })

  it('is refused when anything differs from what was signed', async () => {
    const wallet = createWallet()
    const { request } = (await client.open(await client.registered())).body
    const other = (await client.open(await client.registered(), { state: 'other' })).body.request
    const choices = { permissions: ['agents:hire'], spendLimit: 1_000, days: 30 }
    const challenged = (await client.challenge(request, wallet, choices)).body
    const sent = await service.countSql(async () => {
      const refused = { status: 401, body: { code: 'login_refused' } }
      for (const changed of [
        { spendLimit: 2_000 },
        { days: 90 },
        { permissions: ['agents:hire', 'agents:charge'] },
      ])
        expect(await client.consent(request, challenged, wallet, { ...choices, ...changed })).toMatchObject(
          refused,
        )
      expect(await client.consent(other, challenged, wallet, choices)).toMatchObject(refused)
      const stranger = createWallet()
      expect(await client.consent(request, challenged, stranger, choices)).toMatchObject(refused)
      expect(
        await client.consent(request, challenged, wallet, choices, {
          signature: base58.encode(new Uint8Array(64).fill(1)),
        }),
      ).toMatchObject(refused)
      expect(await client.consent(request, challenged, wallet, choices, { nonce: 'x' })).toMatchObject(
        refused,
      )
    })
    expect(sent).toBe(0)
    expect((await client.consent(request, challenged, wallet, choices)).status).toBe(200)
  })

  it('takes no signature of a login, and a login none of a consent', async () => {
    const wallet = createWallet()
    const { request } = (await client.open(await client.registered())).body
    const login = (
      await service.call('GET', `/auth/handshake?publicKey=${wallet.publicKey}`, {
        headers: { origin: ISSUER },
      })
    ).body
    expect((await client.consent(request, login, wallet)).body.code).toBe('login_refused')
    const challenged = (await client.challenge(request, wallet)).body
    const body = {
      nonce: challenged.nonce,
      publicKey: wallet.publicKey,
      signature: wallet.sign(String(challenged.challenge)),
    }
    expect(
      (await service.call('POST', '/auth/handshake', { body, headers: { origin: ISSUER } })).body.code,
    ).toBe('login_refused')
  })

  it.each([
    undefined,
    'null',
    'https://evil.example',
    'https://api.agentcred.example.evil.example',
    'http://api.agentcred.example',
  ])('is refused when the page’s origin is %s', async (origin) => {
    const wallet = createWallet()
    const { request } = (await client.open(await client.registered())).body
    const headers: Record<string, string> = origin === undefined ? {} : { origin }
    const body = { request, publicKey: wallet.publicKey, permissions: [], days: 1 }
    const challenged = await service.call('POST', '/oauth/challenge', { body, headers })
    expect(challenged).toMatchObject({ status: 403, body: { code: 'origin_refused' } })
    const good = (await client.challenge(request, wallet)).body
    expect(await client.consent(request, good, wallet, {}, {}, headers)).toMatchObject({
      status: 403,
      body: { code: 'origin_refused' },
    })
  })

  it('allows nothing that the client did not ask for', async () => {
    const wallet = createWallet()
    const { request } = (await client.open(await client.registered(), { scope: 'read agents:charge' })).body
    const beyond = await client.challenge(request, wallet, { permissions: ['agents:hire'] })
    expect(beyond).toMatchObject({ status: 400, body: { errors: [{ path: 'permissions' }] } })
    const role = await client.challenge(request, wallet, { permissions: ['oracle:decide'] })
    expect(role).toMatchObject({ status: 400, body: { errors: [{ path: 'permissions.0' }] } })
    const limit = await client.challenge(request, wallet, { permissions: [], spendLimit: 5 })
    expect(limit).toMatchObject({ status: 400, body: { errors: [{ path: 'spendLimit' }] } })
  })

  it('is refused when the request is old, or a token of another kind', async () => {
    const wallet = createWallet()
    const clientId = await client.registered()
    const code = await client.allow(clientId)
    const { request } = (await client.open(clientId)).body
    for (const other of [code, clientId, 'x', (await service.signIn()).token])
      expect((await client.challenge(other, wallet)).body.code).toBe('request_expired')
    await later(601_000)
    expect((await client.challenge(request, wallet)).body.code).toBe('request_expired')
  })

  it('is refused five minutes after its challenge', async () => {
    const wallet = createWallet()
    const { request } = (await client.open(await client.registered())).body
    const challenged = (await client.challenge(request, wallet)).body
    await later(300_000)
    expect((await client.consent(request, challenged, wallet)).body.code).toBe('login_refused')
  })
})

describe('a code', () => {
  it('gets tokens of the wallet for the MCP server alone', async () => {
    const clientId = await client.registered()
    const wallet = createWallet()
    const code = await client.allow(clientId, wallet, { permissions: ['agents:hire'], days: 30 })
    const { status, body, headers } = await client.redeem(code, clientId)
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 14_400,
      refresh_token: expect.any(String),
      scope: 'read agents:hire',
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(decodeJwt(String(body.access_token))).toMatchObject({
      sub: wallet.publicKey,
      aud: `${ISSUER}/v1/mcp`,
      permissions: ['agents:hire'],
      grant: decodeJwt(code).jti,
    })
    const { kid } = JSON.parse(service.keys.SESSION_SIGNING_KEY)
    expect(decodeProtectedHeader(String(body.refresh_token))).toEqual({
      alg: 'EdDSA',
      typ: 'refresh+jwt',
      kid,
    })
    expect((await service.call('GET', '/oauth/grants', { token: String(body.access_token) })).body.code).toBe(
      'token_invalid',
    )
  })

  it('is bound to client, redirect URI, verifier and resource', async () => {
    const clientId = await client.registered()
    const code = await client.allow(clientId)
    const sent = await service.countSql(async () => {
      const refused = {
        status: 400,
        body: { code: 'invalid_grant', error: 'invalid_grant', error_description: expect.any(String) },
      }
      const other = String((await client.register({ client_name: 'Other' })).body.client_id)
      expect(await client.redeem(code, other)).toMatchObject(refused)
      for (const changes of [
        { redirect_uri: `${REDIRECT}/` },
        { code_verifier: `${VERIFIER}x` },
        { code_verifier: CHALLENGE },
        { code_verifier: '' },
      ])
        expect(await client.redeem(code, clientId, changes)).toMatchObject(refused)
      expect(await client.redeem(code, clientId, { resource: 'https://evil.example' })).toMatchObject({
        status: 400,
        body: { error: 'invalid_target' },
      })
    })
    expect(sent).toBe(0)
    expect((await client.redeem(code, clientId)).status).toBe(200)
  })

  it('ends its tokens when it is used again', async () => {
    const clientId = await client.registered()
    const code = await client.allow(clientId)
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.redeem(code, clientId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
    const tokens = answers.find(({ status }) => status === 200)?.body ?? {}
    expect((await client.refresh(String(tokens.refresh_token), clientId)).body.error).toBe('invalid_grant')
  })

  it('is refused after a minute, and after the wallet revoked its sessions', async () => {
    const clientId = await client.registered()
    const wallet = createWallet()
    const code = await client.allow(clientId, wallet)
    const { token } = await service.signIn(wallet)
    await service.call('POST', '/auth/revoke', { token })
    expect((await client.redeem(code, clientId)).body.error).toBe('invalid_grant')
    const late = await client.allow(clientId, wallet)
    await later(61_000)
    expect((await client.redeem(late, clientId)).body.error).toBe('invalid_grant')
  })
})

describe('a refresh token', () => {
  it('is replaced by the next one', async () => {
    const { clientId, refresh } = await client.connect()
    const { status, body } = await client.refresh(refresh, clientId)
    expect(status).toBe(200)
    expect(body.refresh_token).not.toBe(refresh)
    expect((await client.refresh(String(body.refresh_token), clientId)).status).toBe(200)
  })

  it('gets the same next one when three processes use it at once', async () => {
    const { clientId, refresh } = await client.connect()
    const answers = await Promise.all([1, 2, 3].map(() => client.refresh(refresh, clientId)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
  })

  it('ends the connection when it is used long after its successor', async () => {
    const { clientId, refresh } = await client.connect()
    const next = String((await client.refresh(refresh, clientId)).body.refresh_token)
    await later(61_000)
    expect((await client.refresh(refresh, clientId)).body.error).toBe('invalid_grant')
    expect((await client.refresh(next, clientId)).body.error).toBe('invalid_grant')
  })

  it('works for its own client alone, and for fewer scopes', async () => {
    const { clientId, refresh } = await client.connect()
    const other = String((await client.register({ client_name: 'Other' })).body.client_id)
    const sent = await service.countSql(async () => {
      expect((await client.refresh(refresh, other)).body.error).toBe('invalid_grant')
    })
    expect(sent).toBe(0)
    const { body } = await client.refresh(refresh, clientId, { scope: 'read vault:transact' })
    expect(body.scope).toBe('read')
    const whole = await client.refresh(String(body.refresh_token), clientId)
    expect(whole.body.scope).toBe('read agents:hire')
  })

  it('ends when it is unused for 30 days, and at the end that was signed', async () => {
    const unused = await client.connect(createWallet(), { days: 90 })
    const short = await client.connect(createWallet(), { days: 1 })
    await later(86_400_000 + 1_000)
    expect((await client.refresh(short.refresh, short.clientId)).body.error).toBe('invalid_grant')
    await later(29 * 86_400_000)
    expect((await client.refresh(unused.refresh, unused.clientId)).body.error).toBe('invalid_grant')
  })

  it('costs no statement when it is forged', async () => {
    const { refresh, access, clientId } = await client.connect()
    const session = await issueSession(
      service.keys.SESSION_SIGNING_KEY,
      { wallet: createWallet().publicKey as Wallet, permissions: [] },
      new Date(service.clock.now()),
    )
    const sent = await service.countSql(async () => {
      for (const token of [`${refresh.slice(0, -4)}AAAA`, access, session.token, clientId, 'x', ''])
        expect((await client.refresh(token, clientId)).body.error).toBe('invalid_grant')
    })
    expect(sent).toBe(0)
  })
})

describe('a client whose registration is not valid any more', () => {
  it('is told so when its token is not valid either, so that it registers again', async () => {
    const { refresh, clientId } = await client.connect()
    const dead = `${clientId.slice(0, -4)}AAAA`
    for (const id of [dead, 'abc']) {
      expect(await client.refresh('x', id)).toMatchObject({ status: 400, body: { error: 'invalid_client' } })
      expect(await client.redeem('x', id)).toMatchObject({ status: 400, body: { error: 'invalid_client' } })
    }
    expect((await client.refresh('x', clientId)).body.error).toBe('invalid_grant')
    expect((await client.refresh(refresh, clientId)).status).toBe(200)
  })
})

describe('a token request', () => {
  it('is a form without repeated members', async () => {
    const json = await service.call('POST', '/oauth/token', {
      body: { grant_type: 'refresh_token', client_id: 'x' },
    })
    expect(json).toMatchObject({ status: 415, body: { error: 'invalid_request' } })
    const twice = await postForm(service, '/oauth/token', 'grant_type=refresh_token&client_id=a&client_id=b')
    expect(twice).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', errors: [{ path: 'client_id', message: 'must not be repeated' }] },
    })
    const missing = await postForm(service, '/oauth/token', { grant_type: 'refresh_token' })
    expect(missing).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', errors: [{ path: 'client_id' }] },
    })
    const other = await postForm(service, '/oauth/token', {
      grant_type: 'password',
      client_id: 'x',
      username: 'ignored',
    })
    expect(other).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } })
  })
})

describe('a revocation', () => {
  it.each(['refresh', 'access'] as const)(
    'ends the connection of a %s token, and is repeatable',
    async (kind) => {
      const connected = await client.connect()
      for (const _time of [1, 2])
        expect(await postForm(service, '/oauth/revoke', { token: connected[kind] })).toMatchObject({
          status: 200,
          body: {},
        })
      expect((await client.refresh(connected.refresh, connected.clientId)).body.error).toBe('invalid_grant')
    },
  )

  it('costs no statement when the token is forged', async () => {
    const session = (await service.signIn()).token
    const sent = await service.countSql(async () => {
      for (const token of ['x', session])
        expect((await postForm(service, '/oauth/revoke', { token })).status).toBe(200)
    })
    expect(sent).toBe(0)
    expect((await service.call('GET', '/oauth/grants', { token: session })).status).toBe(200)
  })
})

describe('connections', () => {
  it('are listed for their wallet, and end when it ends them', async () => {
    const wallet = createWallet()
    const { clientId, refresh } = await client.connect(wallet, {
      permissions: ['agents:hire'],
      spendLimit: 7,
      days: 90,
    })
    await client.connect()
    const { call } = await service.signIn(wallet)
    const { body } = await call('GET', '/oauth/grants')
    expect(body.connections).toEqual([
      {
        id: expect.any(String),
        kind: 'app',
        name: 'Example Assistant',
        host: 'app.example.com',
        permissions: ['agents:hire'],
        spendLimit: 7,
        committed: 0,
        createdAt: new Date(service.clock.now()).toISOString(),
        lastUsedAt: new Date(service.clock.now()).toISOString(),
        expiresAt: new Date(service.clock.now() + 90 * 86_400_000).toISOString(),
      },
    ])
    const [{ id } = { id: '' }] = body.connections as { id: string }[]
    const stranger = await service.signIn()
    expect((await stranger.call('DELETE', `/oauth/grants/${id}`)).body.code).toBe('connection_not_found')
    for (const _time of [1, 2])
      expect(await call('DELETE', `/oauth/grants/${id}`)).toMatchObject({
        status: 200,
        body: { status: 'ENDED' },
      })
    expect((await call('GET', '/oauth/grants')).body.connections).toEqual([])
    expect((await client.refresh(refresh, clientId)).body.error).toBe('invalid_grant')
  })
})

describe('consents of one address', () => {
  it('are limited when their wallets have paid nothing', async () => {
    const limited = await startService({
      stopped: true,
      groups: ['auth'],
      bindings: { CONSENTS_PER_ADDRESS: '2' },
    })
    try {
      const program = oauthClient(limited)
      const clientId = await program.registered()
      const codes = [await program.allow(clientId), await program.allow(clientId)]
      const wallet = createWallet()
      const { request } = (await program.open(clientId)).body
      const challenged = (await program.challenge(request, wallet)).body
      const refused = await program.consent(request, challenged, wallet)
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
      expect(refused.headers.get('retry-after')).toBeTruthy()
      for (const code of codes) expect((await program.redeem(code, clientId)).status).toBe(200)
    } finally {
      await limited.stop()
    }
  })
})

describe('without the database', () => {
  it('a token request is 503, and succeeds when it is repeated', async () => {
    const clientId = await client.registered()
    const code = await client.allow(clientId)
    const { access } = await client.connect()
    const down = () => new Response(null, { status: 503 })
    await service.withFault(down, async () => {
      const answer = await client.redeem(code, clientId)
      expect(answer).toMatchObject({
        status: 503,
        body: { code: 'dependency_unavailable', error: 'temporarily_unavailable' },
      })
      expect(answer.headers.get('retry-after')).toBe('2')
      expect((await postForm(service, '/oauth/revoke', { token: access })).status).toBe(503)
    })
    const { body, status } = await client.redeem(code, clientId)
    expect(status).toBe(200)
    await service.withFault(down, async () => {
      expect((await client.refresh(String(body.refresh_token), clientId)).status).toBe(503)
    })
    expect((await client.refresh(String(body.refresh_token), clientId)).status).toBe(200)
  })
})

import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { catalog } from '../../lib/mcp/catalog.ts'
import { grantAccess, ORIGIN, signToken } from '../support/access.ts'
import { register } from '../support/agents.ts'
import { callRaw, type Json, meta, modernHeaders, post, type RawAnswer } from '../support/mcp.ts'
import { operations } from '../support/openapi-texts.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const METADATA = `${ORIGIN}/.well-known/oauth-protected-resource/v1/mcp`
const json = { 'content-type': 'application/json' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const challengeOf = ({ headers }: { headers: Headers }) => headers.get('www-authenticate')

/** How many requests to other Workers an answer took. */
async function passedOn({ headers }: RawAnswer, route = '/v1/mcp'): Promise<number> {
  const { subrequests } = await service.logs.of(headers.get('x-request-id'), route)
  return (subrequests as { worker?: number }).worker ?? 0
}

const request = (method: string, params: Json = { _meta: meta }) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})

describe('the metadata of a protected resource', () => {
  it.each(['/v1/mcp', '/v1/mcp/wallet'])('leads from %s to the authorization server', async (path) => {
    const { status, body, headers } = await service.call(
      'GET',
      `/.well-known/oauth-protected-resource${path}`,
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/json')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toEqual({
      resource: `${ORIGIN}${path}`,
      resource_name: 'AgentCred',
      authorization_servers: [ORIGIN],
      scopes_supported: ['read', 'agents:hire'],
      bearer_methods_supported: ['header'],
    })
  })

  it.each(['/v1/mcp', '/v1/mcp/wallet'])('is found from %s by the official client', async (path) => {
    const address = `${ORIGIN}${path}`
    const body = JSON.stringify(request('tools/call', { name: 'list_events' }))
    const refused = await fetch(service.origin + path, { method: 'POST', headers: json, body })
    const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(refused)
    expect([String(resourceMetadataUrl), error]).toEqual([METADATA + path.slice('/v1/mcp'.length), undefined])
    expect(scope).toMatch(/^read/)
    const here = (url: string | URL, init?: RequestInit) =>
      fetch(String(url).replace(ORIGIN, service.origin), init)
    for (const options of [{ resourceMetadataUrl: String(resourceMetadataUrl) }, {}]) {
      const { resource } = await discoverOAuthProtectedResourceMetadata(address, options, here)
      expect(resource).toBe(address)
    }
  })

  it('is not sent again while it is the same', async () => {
    const read = (headers = {}) =>
      service.call('GET', '/.well-known/oauth-protected-resource/v1/mcp', { headers })
    const etag = (await read()).headers.get('etag') ?? ''
    expect((await read({ 'if-none-match': etag })).status).toBe(304)
  })

  it.each(['', '/v1', '/v1/mcp/', '/v1/mcp/server-card', '/v1/mcp-wallet', '/v1/agents'])(
    'does not exist for the path %j',
    async (path) => {
      const { status } = await service.call('GET', `/.well-known/oauth-protected-resource${path}`)
      expect(status).toBe(404)
    },
  )
})

describe('a call without a token', () => {
  it.each([
    ['list_my_hires', 'read agents:hire'],
    ['hire_agent', 'read agents:hire'],
    ['end_hire', 'read agents:hire'],
    ['report_charge', 'read agents:charge'],
    ['build_vault_transaction', 'read vault:transact'],
    ['get_hire', 'read agents:hire'],
    ['list_charges', 'read'],
    ['get_charge', 'read'],
    ['list_hire_budgets', 'read'],
    ['list_events', 'read'],
    ['set_agent_price', 'read'],
  ])('of %s is 401 with the scope %s, before anything is sent', async (tool, scope) => {
    const answer = await callRaw(service, tool, {})
    expect([answer.status, answer.body.code]).toEqual([401, 'token_missing'])
    expect(challengeOf(answer)).toBe(
      `Bearer realm="agentcred", scope="${scope}", resource_metadata="${METADATA}"`,
    )
    expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
    expect(await passedOn(answer)).toBe(0)
  })

  it('reaches the tools that need none, and all other methods', async () => {
    const open = catalog.tools.map(({ name }) => name).filter((name) => !(name in catalog.permissions))
    expect(open).toEqual(['search_agents', 'get_agent', 'get_reputation', 'quote_stake'])
    for (const tool of open) expect((await callRaw(service, tool, {})).status).toBe(200)
    for (const method of ['server/discover', 'tools/list'])
      expect((await post(service, request(method), modernHeaders(method))).status).toBe(200)
    expect((await callRaw(service, 'search_agents', {}, { authorization: 'Basic YTpi' })).status).toBe(200)
  })
})

describe('the address that needs a token', () => {
  const WALLET = '/mcp/wallet'
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }

  it.each<[string, unknown, Record<string, string>]>([
    ['initialize', request('initialize', {}), json],
    ['ping', request('ping', {}), json],
    ['server/discover', request('server/discover'), modernHeaders('server/discover')],
    ['tools/list', request('tools/list'), modernHeaders('tools/list')],
    ['a public tool', request('tools/call', { name: 'search_agents' }), json],
    ['a notification', notification, json],
    ['no JSON', '{', json],
    ['text', 'a', { 'content-type': 'text/plain' }],
    ['another scheme', request('ping', {}), { ...json, authorization: 'Basic YTpi' }],
  ])('answers 401 to %s without one', async (_what, body, headers) => {
    const answer = await post(service, body, headers, WALLET)
    expect([answer.status, answer.body.code]).toEqual([401, 'token_missing'])
    expect(challengeOf(answer)).toBe(
      `Bearer realm="agentcred", scope="read agents:hire", resource_metadata="${METADATA}/wallet"`,
    )
    expect(await passedOn(answer, '/v1/mcp/wallet')).toBe(0)
  })

  it('is the same server with a session or an access token', async () => {
    const { wallet, token } = await service.signIn()
    const access = await grantAccess(service, wallet.publicKey)
    for (const authorization of [`Bearer ${token}`, access.authorization]) {
      const headers = { ...json, authorization }
      const { status, body } = await post(service, request('initialize', {}), headers, WALLET)
      expect([status, body.result]).toMatchObject([200, { serverInfo: catalog.server }])
      expect((await post(service, notification, headers, WALLET)).status).toBe(202)
      const called = await callRaw(service, 'list_my_hires', {}, { authorization }, WALLET)
      expect(called.body.result).toMatchObject({ structuredContent: { count: 0 } })
    }
  })

  it('refuses an insecure page before it asks for a token', async () => {
    const headers = { ...json, origin: 'http://evil.example' }
    const answer = await post(service, request('ping', {}), headers, WALLET)
    expect([answer.status, answer.body.code]).toEqual([403, 'origin_refused'])
    expect(challengeOf(answer)).toBeNull()
  })

  it('takes no other method than POST', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await service.call(method, WALLET)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    }
  })
})

describe('an invalid token', () => {
  const both = ['agentcred-api', `${ORIGIN}/v1/mcp`]
  const hour = 3_600

  it.each<[string, () => Promise<string> | string]>([
    ['no JWT', () => 'forged'],
    ['expired', () => signToken(service, { exp: Math.floor(service.clock.now() / 1000) - 1 })],
    ['for two audiences', () => signToken(service, { aud: both })],
    ['for a list of one', () => signToken(service, { aud: [`${ORIGIN}/v1/mcp`] })],
    ['for another path', () => signToken(service, { aud: `${ORIGIN}/v1/mcp/wallet` })],
    ['for another host', () => signToken(service, { aud: 'https://evil.example/v1/mcp' })],
    ['without a grant', () => signToken(service, { grant: undefined })],
    ['a code', () => signToken(service, {}, { typ: 'code+jwt' })],
    ['a refresh token', () => signToken(service, {}, { typ: 'refresh+jwt' })],
    ['a client id', () => signToken(service, {}, { typ: 'client+jwt' })],
    ['not valid yet', () => signToken(service, { nbf: Math.floor(service.clock.now() / 1000) + hour })],
  ])('that is %s is 401 at both addresses, before anything is sent', async (_what, make) => {
    const token = await make()
    for (const [path, metadata] of [
      ['/mcp', METADATA],
      ['/mcp/wallet', `${METADATA}/wallet`],
    ] as const) {
      const calls = [
        callRaw(service, 'search_agents', {}, bearer(token), path),
        post(service, request('ping', {}), { ...json, ...bearer(token) }, path),
      ]
      for (const answer of await Promise.all(calls)) {
        expect([answer.status, answer.body.code]).toEqual([401, 'token_invalid'])
        expect(challengeOf(answer)).toBe(
          `Bearer realm="agentcred", error="invalid_token", resource_metadata="${metadata}"`,
        )
        expect(await passedOn(answer, `/v1${path}`)).toBe(0)
      }
    }
  })

  it('is also one whose wallet has revoked its sessions, or whose grant has ended', async () => {
    const { wallet, call } = await service.signIn()
    const hires = (token: string) => callRaw(service, 'list_my_hires', {}, bearer(token))
    const ended = await grantAccess(service, wallet.publicKey)
    const revoked = await grantAccess(service, wallet.publicKey)
    expect((await hires(ended.token)).status).toBe(200)
    await service.database.engine.execScript(
      `update grants set ended_at = created_at where id = '${ended.grant}'`,
    )
    const refused = await hires(ended.token)
    expect((await hires(revoked.token)).status).toBe(200)
    await call('POST', '/auth/revoke')
    for (const answer of [refused, await hires(revoked.token)]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'session_revoked'])
      expect(challengeOf(answer)).toBe(
        `Bearer realm="agentcred", error="invalid_token", resource_metadata="${METADATA}"`,
      )
    }
  })
})

describe('a token without the permission of a tool', () => {
  it.each([
    ['hire_agent', [], 'read agents:hire'],
    ['end_hire', ['vault:transact'], 'read agents:hire vault:transact'],
    ['report_charge', ['agents:hire'], 'read agents:hire agents:charge'],
    ['build_vault_transaction', ['agents:hire'], 'read agents:hire vault:transact'],
  ] as const)('is 403 for %s, with %j and the scope that it needs', async (tool, permissions, scope) => {
    const { wallet, token } = await service.signIn(undefined, [...permissions])
    const access = await grantAccess(service, wallet.publicKey, [...permissions])
    for (const authorization of [`Bearer ${token}`, access.authorization]) {
      const answer = await callRaw(service, tool, {}, { authorization }, '/mcp/wallet')
      expect([answer.status, answer.body.code]).toEqual([403, 'permission_missing'])
      expect(challengeOf(answer)).toBe(
        `Bearer realm="agentcred", error="insufficient_scope", scope="${scope}", resource_metadata="${METADATA}/wallet"`,
      )
      expect(await passedOn(answer, '/v1/mcp/wallet')).toBe(0)
    }
  })

  it('that no grant can have is an error for the model: asking the user would not help', async () => {
    const { authorization } = await grantAccess(service, createWallet().publicKey)
    const args = { id: crypto.randomUUID(), feeModel: 'flat', feeAmount: '1' }
    const answer = await callRaw(service, 'set_agent_price', args, { authorization })
    expect([answer.status, challengeOf(answer)]).toEqual([200, null])
    expect(answer.body.result).toMatchObject({ isError: true })
    expect(answer.text).toContain('permission_missing')
  })
})

describe('an access token', () => {
  it('hires, lists and ends by tools, for its wallet alone', async () => {
    const agent = await register((await service.signIn()).call)
    const { wallet, call } = await service.signIn()
    const { authorization } = await grantAccess(service, wallet.publicKey)
    const tool = async (name: string, args: Json) => {
      const answer = await callRaw(service, name, args, { authorization })
      expect(await passedOn(answer)).toBe(1)
      return (answer.body.result as { structuredContent: Json }).structuredContent
    }
    const hire = await tool('hire_agent', { agentId: agent.id, budgetLimit: '5' })
    expect(hire).toMatchObject({ status: 'active', budgetLimit: '5' })
    expect((await call('GET', '/agents/hire')).body).toMatchObject({ hires: [{ id: hire.id }] })
    expect(await tool('list_my_hires', {})).toMatchObject({ hires: [{ id: hire.id }] })
    expect(await tool('list_charges', { role: 'hirer' })).toMatchObject({ count: 0 })
    expect(await tool('end_hire', { id: hire.id })).toMatchObject({ status: 'terminated' })
    const { events } = (await tool('list_events', {})) as { events: Json[] }
    expect(events.map(({ type }) => type)).toContain('hire.created')
  })

  it('reaches the vault with its permission', async () => {
    const { authorization } = await grantAccess(service, createWallet().publicKey, ['vault:transact'])
    const answer = await callRaw(service, 'build_vault_transaction', { action: 'claim' }, { authorization })
    expect(answer.text).toContain('nothing_to_claim')
  })

  it('takes as many round trips as a session', async () => {
    const { wallet, token } = await service.signIn()
    const { authorization } = await grantAccess(service, wallet.publicKey)
    const count = (name: string, headers: Record<string, string>) =>
      service.countSql(() => callRaw(service, name, {}, headers))
    for (const tool of ['list_my_hires', 'list_events', 'search_agents'])
      expect(await count(tool, { authorization }), tool).toBe(await count(tool, bearer(token)))
  })

  it('is invalid for every operation of the API, which sends nothing to the database', async () => {
    const { token } = await grantAccess(service, createWallet().publicKey, ['agents:hire', 'vault:transact'])
    const guarded = operations.filter(({ needsSession, path }) => needsSession && path !== '/mcp/wallet')
    const groups = new Set(guarded.map(({ path }) => path.split('/')[1]))
    expect([...groups].toSorted()).toEqual(
      [
        'agents',
        'auth',
        'events',
        'jobs',
        'oauth',
        'payments',
        'registry',
        'reputation',
        'vault',
        'x402',
      ].toSorted(),
    )
    const accepted: string[] = []
    const send = async () => {
      for (const { id, method, path } of guarded) {
        const one = path.replace('{id}', crypto.randomUUID()).replace(/\{\w+\}/g, 'a')
        const { status, body } = await service.call(method, one, { token })
        if (status !== 401 || body.code !== 'token_invalid') accepted.push(`${id} ${status} ${body.code}`)
      }
    }
    expect(await service.countSql(send)).toBe(0)
    expect(accepted).toEqual([])
  })
})

describe('behind a gateway', () => {
  it('the metadata is at the root, and tools accept access tokens that the API refuses', async () => {
    const gateway = await startService({ groups: ['root', 'auth', 'mcp'], topology: 'gateway' })
    try {
      const { wallet } = await gateway.signIn()
      const { token, authorization } = await grantAccess(gateway, wallet.publicKey)
      const metadata = await gateway.call('GET', '/.well-known/oauth-protected-resource/v1/mcp/wallet')
      expect(metadata.body.resource).toBe(`${ORIGIN}/v1/mcp/wallet`)
      expect((await post(gateway, request('ping', {}), json, '/mcp/wallet')).status).toBe(401)
      const called = await callRaw(gateway, 'list_my_hires', {}, { authorization }, '/mcp/wallet')
      expect(called.body.result).toMatchObject({ structuredContent: { count: 0 } })
      expect((await gateway.call('GET', '/agents/hire', { token })).body.code).toBe('token_invalid')
    } finally {
      await gateway.stop()
    }
  })
})

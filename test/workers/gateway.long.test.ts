import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { GROUPS_OF_LIVE, GROUPS_OF_SOLANA } from '../../lib/cli/deploy/deployment.ts'
import { createWallet, signerOf } from '../../lib/cli/wallet.ts'
import { type AgentRegister, createClient } from '../../lib/client/index.ts'
import { readRoutes } from '../../lib/tools/description/routes.ts'
import { generateCardKeys, generateSessionKeys } from '../../lib/tools/keys/jwks.ts'
import { generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { ISSUER } from '../support/oauth.ts'
import { answerTo, type Service, startService } from '../support/service.ts'

/** Stands in the place of the marketplace Worker: what it is sent, a stream, a redirect and a WebSocket. */
const SCRIPT = `import { WorkerEntrypoint } from 'cloudflare:workers'
export class LocalClock extends WorkerEntrypoint { moveTo() {} }
export class Health extends WorkerEntrypoint {
  fetch(request) {
    return Response.json({ version: request.headers.get('cloudflare-workers-version-overrides') })
  }
}
export default {
  async fetch(request) {
    if (request.headers.get('upgrade') === 'websocket') {
      const [client, server] = Object.values(new WebSocketPair())
      server.accept()
      server.addEventListener('message', ({ data }) => server.send('echo ' + data))
      return new Response(null, { status: 101, webSocket: client })
    }
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/stream')) return new Response(stream())
    if (pathname.endsWith('/rest')) isAskedForRest = true
    if (pathname.endsWith('/away')) return Response.redirect('http://elsewhere.invalid/', 302)
    const headers = Object.fromEntries(request.headers)
    return Response.json({ method: request.method, url: request.url, headers, body: await request.text() })
  },
}
let isAskedForRest = false
function stream() {
  let part = 0
  return new ReadableStream({
    async pull(controller) {
      if (part++ === 2) return controller.close()
      while (part === 2 && !isAskedForRest) await scheduler.wait(10)
      controller.enqueue(new TextEncoder().encode('part ' + part + ';'))
    },
  })
}`

const TOPOLOGIES = ['routes', 'gateway'] as const
const services = {} as Record<(typeof TOPOLOGIES)[number], Service>
beforeAll(async () => {
  const keys = await generateSessionKeys(new Date())
  const bindings = { ...(await generateCardKeys(new Date())), ...generateWebhookKeys() }
  for (const topology of TOPOLOGIES)
    services[topology] = await startService({
      topology,
      keys,
      bindings,
      rateLimits: true,
      scripts: { marketplace: SCRIPT },
    })
})
afterAll(() => Promise.all(TOPOLOGIES.map((topology) => services[topology]?.stop())))

/** Headers that differ between two answers of the same service. */
const CHANGING = ['date', 'x-request-id', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']

/** What a caller sees of an answer, apart from what changes with every request and every chain. */
async function seen(origin: string, path: string, init: RequestInit = {}) {
  const response = await fetch(origin + path, { redirect: 'manual', ...init })
  const { etag, ...headers } = Object.fromEntries(
    [...response.headers].filter(([name]) => !CHANGING.includes(name)),
  )
  const text = (await response.text())
    .replaceAll(origin, '')
    .replace(/"requestId":"[^"]*"/, '')
    .replace(/"[1-9A-HJ-NP-Za-km-z]{43,44}"/g, '"address"')
  return { status: response.status, hasEtag: etag !== undefined, headers, text }
}

const json = { 'content-type': 'application/json' }

/** Requests whose answers depend on nothing that a former one has done. */
const requests = async (): Promise<[path: string, init?: RequestInit][]> => [
  ...(await readRoutes()).flatMap(({ path }): [string, RequestInit?][] => {
    if (/handshake|stats/.test(path)) return []
    const address = `${path.startsWith('/.well-known') ? '' : '/v1'}${path}`
      .replace('{id}', '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d')
      .replace(/\{\w+\}/, '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')
    return [[address], [address, { method: 'PUT' }], [address, { method: 'OPTIONS' }], [`${address}/`]]
  }),
  ...[
    '/',
    '/v1',
    '/v1/',
    '/nothing',
    '/v1/nothing',
    '/v1/auth',
    '/v1/auth/',
    '/v1/agentsfoo',
    '/v1//agents',
  ].map((path): [string] => [path]),
  ...[
    '/console',
    '/console/',
    '/console/vault',
    '/console/connect',
    '/console/assets/gone-1.js',
    '/consolefoo',
  ].map((path): [string] => [path]),
  ['/v1/agents?layer=99'],
  ['/v1/agents%2fhire'],
  ['/v1/AGENTS'],
  ['/v1/agents/../vault/terms'],
  ['/v1/agents/hire', { method: 'POST', body: '{', headers: json }],
  ['/v1/registry/agents', { method: 'POST', body: 'x'.repeat(70_000), headers: json }],
  ['/v1/agents/hire', { headers: { authorization: 'Bearer nonsense' } }],
  ['/v1/agents', { method: 'HEAD' }],
  ['/v1/mcp', { method: 'POST', headers: json, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }],
]

describe('the two topologies', () => {
  it('answer alike at every address: methods, 404, 405, documents, console, headers', async () => {
    const all = await requests()
    expect(all.length).toBeGreaterThan(200)
    for (const [i, [path, init]] of all.entries()) {
      // An address of its own for each, so that no limit is reached.
      const headers = { ...init?.headers, 'cf-connecting-ip': `203.0.${i >> 6}.${i & 63}` }
      const [byRoutes, byGateway] = await Promise.all(
        TOPOLOGIES.map((topology) => seen(services[topology].origin, path, { ...init, headers })),
      )
      expect(byGateway, `${init?.method ?? 'GET'} ${path}`).toEqual(byRoutes)
    }
  })

  it.each(TOPOLOGIES)('lets a wallet log in, offer an agent and hire (%s)', async (topology) => {
    const { call, signIn } = services[topology]
    const owner = await signIn()
    const offer = { name: 'Scout', agentType: 'autonomous', supportedLayers: [17] }
    const { body, status } = await owner.call('POST', '/agents/register', { body: offer })
    expect(status).toBe(201)
    expect((await call('GET', `/agents/${body.id}`)).body).toMatchObject({ name: 'Scout' })
    const hirer = await signIn()
    const hire = await hirer.call('POST', '/agents/hire', { body: { agentId: body.id, layers: [17] } })
    expect(hire.status).toBe(201)
    expect((await hirer.call('GET', '/events')).status).toBe(200)
  })

  it.each(TOPOLOGIES)('count by the caller’s address (%s)', async (topology) => {
    const { call } = services[topology]
    const ask = (address: string) =>
      call('POST', '/auth/handshake', {
        body: answerTo({ nonce: crypto.randomUUID(), challenge: 'x' }, createWallet()),
        headers: { 'cf-connecting-ip': address },
      })
    let last = await ask('198.51.100.7')
    for (let i = 0; i < 60 && last.status !== 429; i++) last = await ask('198.51.100.7')
    expect(last.status).toBe(429)
    expect(last.headers.get('ratelimit-policy')).toContain('login')
    expect((await ask('198.51.100.8')).status).not.toBe(429)
  })

  it.each(TOPOLOGIES)('pass on headers, query, body and redirects as they are (%s)', async (topology) => {
    const { origin } = services[topology]
    const response = await fetch(`${origin}/v1/marketplace/echo?a=1&b=%20`, {
      method: 'PATCH',
      body: 'text',
      headers: { 'cf-connecting-ip': '192.0.2.77', 'cf-worker': 'other.test', 'x-own': 'a' },
    })
    expect(await response.json()).toMatchObject({
      method: 'PATCH',
      url: `${origin}/v1/marketplace/echo?a=1&b=%20`,
      headers: { 'cf-connecting-ip': '192.0.2.77', 'cf-worker': 'other.test', 'x-own': 'a' },
      body: 'text',
    })
    const away = await fetch(`${origin}/v1/marketplace/away`, { redirect: 'manual' })
    expect([away.status, away.headers.get('location')]).toEqual([302, 'http://elsewhere.invalid/'])
  })

  it.each(TOPOLOGIES)('stream: the first part is there before the last is written (%s)', async (topology) => {
    const address = `${services[topology].origin}/v1/marketplace`
    const headers = { 'accept-encoding': 'identity' }
    const { body } = await fetch(`${address}/stream`, { headers })
    let read = ''
    for await (const part of body ?? []) {
      read += Buffer.from(part).toString()
      // The last one is not written before it is asked for.
      if (read === 'part 1;') await fetch(`${address}/rest`)
    }
    expect(read).toBe('part 1;part 2;')
  })

  it('ask every Worker of an upgrade for its version, and for its database', async () => {
    const { origin, database } = services.gateway
    const ask = async (
      address: string,
      overrides: string | undefined = 'agentcred-marketplace="a", agentcred-auth="b"',
    ) => {
      const headers = {
        ...(overrides && { 'cloudflare-workers-version-overrides': overrides }),
        'cf-connecting-ip': address,
      }
      const response = await fetch(`${origin}/v1/health/workers`, { headers })
      const { workers } = (await response.json()) as { workers: Record<string, object> }
      return { status: response.status, workers }
    }
    const { workers } = await ask('198.51.100.30')
    const { marketplace, root, mcp, console: page, ...others } = workers
    expect(marketplace).toEqual({ version: 'agentcred-marketplace="a", agentcred-auth="b"' })
    for (const bare of [root, mcp, page])
      expect(bare).toEqual({ version: expect.stringMatching(/^[\w-]{36}$/) })
    expect(Object.keys(others)).toEqual(
      expect.arrayContaining(['agents', 'jobs', 'settlement', 'probes', 'vault']),
    )
    expect(Object.keys(workers)).toHaveLength(19)
    // Another one has named other versions meanwhile.
    for (const other of ['agentcred-marketplace="old"', ''])
      expect((await ask('198.51.100.32', other)).workers.marketplace).not.toEqual(marketplace)
    expect((await ask('198.51.100.32')).workers.marketplace).toEqual(marketplace)
    for (const [group, health] of Object.entries(others))
      expect(health, group).toEqual({ version: expect.stringMatching(/^[\w-]{36}$/), database: true })
    // The schema of another release alone.
    await database.engine.execScript(`alter schema ${API_SCHEMA} rename to api_0`)
    await services.gateway.clock.travelTo(services.gateway.clock.now() + 6_000)
    expect((await ask('198.51.100.30')).workers.agents).toMatchObject({ database: false })
    await database.engine.execScript(`alter schema api_0 rename to ${API_SCHEMA}`)
    let last = await ask('198.51.100.31')
    for (let i = 0; i < 30 && last.status !== 429; i++) last = await ask('198.51.100.31')
    expect(last.status).toBe(429)
  })

  it.each(TOPOLOGIES)('upgrade to a WebSocket (%s)', async (topology) => {
    const { host } = new URL(services[topology].origin)
    const socket = new WebSocket(`ws://${host}/v1/marketplace/socket`)
    await once(socket, 'open')
    socket.send('hello')
    const [data] = await once(socket, 'message')
    expect(String(data)).toBe('echo hello')
    socket.close()
    await once(socket, 'close')
  })
})

describe('without live events', () => {
  it.each(TOPOLOGIES)(
    'GET /events/live answers 404, nobody is notified, and the client polls (%s)',
    async (topology) => {
      const groups = ['auth', 'agents', 'events', 'live', 'root']
      const service = await startService({ topology, groups, without: GROUPS_OF_LIVE })
      try {
        const { origin } = service
        const socket = await fetch(`${origin}/v1/events/live`)
        expect(socket.status).toBe(404)
        expect(await socket.json()).toMatchObject({ code: 'unknown_path' })
        for (const path of ['/v1', '/v1/openapi.json', '/v1/docs', '/v1/docs.md']) {
          const text = await (await fetch(origin + path)).text()
          expect(text).toContain('/events')
          expect(text).not.toContain('/events/live')
        }
        const wallet = signerOf(createWallet())
        const client = createClient({
          baseUrl: `${origin}/v1`,
          origin: ISSUER,
          wallet,
          sleep: () => new Promise((resolve) => setTimeout(resolve, 20)),
        })
        const body = { name: 'Quiet', agentType: 'autonomous', supportedLayers: [1] } satisfies AgentRegister
        const register = () => client.call('POST /agents/register', { body })
        await register()
        const types: string[] = []
        for await (const { type } of client.events({ live: true })) {
          types.push(type)
          if (types.length === 3) break
          await register()
        }
        expect(types).toEqual(Array(3).fill('agent.registered'))
        expect(service.logs.lines.filter(({ live }) => live !== undefined)).toEqual([])
      } finally {
        await service.stop()
      }
    },
  )
})

describe('without Solana', () => {
  it.each(TOPOLOGIES)('paths of the vault and payments answer 404 not_offered (%s)', async (topology) => {
    const service = await startService({ topology, without: GROUPS_OF_SOLANA })
    try {
      const { origin, call, signIn } = service
      for (const path of ['/v1/vault', '/v1/vault/terms', '/v1/payments/charges']) {
        for (const method of ['GET', 'POST']) {
          const response = await fetch(origin + path, { method })
          expect(response.status).toBe(404)
          expect(response.headers.get('access-control-allow-origin')).toBe('*')
          expect(await response.json()).toMatchObject({ code: 'not_offered' })
        }
      }
      const { body } = await call('GET', '/health?deep=1')
      expect(Object.keys(body.checks as object)).toEqual(['database', 'kv'])
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const answer = await fetch(`${origin}/v1/mcp`, {
        method: 'POST',
        headers: {
          ...json,
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify(list),
      })
      const { result } = (await answer.json()) as { result: { tools: { name: string }[] } }
      const names = result.tools.map(({ name }) => name)
      expect(names).toContain('hire_agent')
      expect(names).not.toContain('quote_stake')
      expect(names).not.toContain('list_charges')
      expect((await call('GET', '/nothing')).body.code).toBe('unknown_path')
      const documents = await Promise.all(
        ['/v1', '/v1/openapi.json', '/v1/docs', '/v1/docs.md'].map(async (path) =>
          (await fetch(origin + path)).text(),
        ),
      )
      for (const text of documents) {
        expect(text).toContain('/agents/hire')
        expect(text).not.toMatch(/\/vault\/stack|\/payments\/charges/)
      }
      const { components } = JSON.parse(documents[1] ?? '')
      for (const [, kind = '', name = ''] of (documents[1] ?? '').matchAll(
        /"#\/components\/(\w+)\/([\w-]+)"/g,
      ))
        expect(components[kind][name], `${kind} ${name}`).toBeDefined()
      await signIn()
      expect(await service.runJob('settlement')).toBeNull()
      expect(await service.runJob('daily')).toMatchObject({ at: expect.any(Number) })
    } finally {
      await service.stop()
    }
  })
})

import canonicalize from 'canonicalize'
import { exportJWK, FlattenedSign, generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextDaily, nextScheduledRun } from '../../lib/clock/jobs.ts'
import { register } from '../support/agents.ts'
import { signed } from '../support/registry.ts'
import { type Body, type Service, startService } from '../support/service.ts'

const HOUR = 3_600_000
const CARD_PATH = '/.well-known/agent-card.json'
const MANIFEST_PATH = '/.well-known/ard.json'

type Sent = { method: string; url: string; headers: Headers; body: string }
type Host = (request: Sent) => Response | Promise<Response>

let service: Service
/** What answers at each host, and what it was asked. */
const hosts = new Map<string, Host>()
let sent: Sent[] = []
/** Its time stands still, so that no probe is slow and no lease ends. */
async function start(constants: Record<string, number>) {
  const groups = ['auth', 'agents', 'registry', 'jobs', 'probes', 'protocols']
  service = await startService({ groups, constants: { probes: constants }, stopped: true })
  service.onProbe(async (request) => {
    const one = {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: await request.text(),
    }
    sent.push(one)
    const host = hosts.get(new URL(request.url).host)
    const { pathname, host: name } = new URL(request.url)
    const notFound = new Response(null, { status: 404 })
    if (pathname === '/robots.txt' && !robots.has(name)) return notFound
    if (pathname === MANIFEST_PATH) return manifests.get(name)?.(one) ?? notFound
    return host?.(one) ?? notFound
  })
}
// Longer than all requests of a probe take on a busy machine.
beforeAll(() => start({ PROBE_MS: 180_000 }))
afterAll(() => service.stop())
beforeEach(async () => {
  // Soon after a scheduled run, so that none comes between a probe and the time of the next one.
  await service.clock.travelTo(nextDaily(service.clock.now()) + 10 * 60_000)
  sent = []
  hosts.clear()
  manifests.clear()
  // A run probes a limited number of hosts: the hosts of earlier tests are no longer due.
  await service.database.engine.execScript(
    'update agent_endpoints set next_probe_at = null; update probed_hosts set next_turn_at = null',
  )
})

/** Hosts that answer for their robots.txt themselves. */
const robots = new Set<string>()

/** What hosts publish as ard.json; the others have none. */
const manifests = new Map<string, Host>()

const runJobs = () => service.runJobs('probes')
const travel = (ms: number) => service.clock.travelTo(service.clock.now() + ms)
/** To the next regular probe of an endpoint that was just probed. */
const toNextProbe = () => service.clock.travelTo(nextScheduledRun(service.clock.now() + 5 * HOUR))
/** To the next probe of an endpoint that is probed once a day. */
const nextDay = () => service.clock.travelTo(nextDaily(service.clock.now() + 12 * HOUR))

let count = 0
/** A host of its own. */
const newHost = (answer: Host): string => {
  const host = `agent${++count}.example.com`
  hosts.set(host, answer)
  return host
}

/** An agent whose endpoint is at a host; what is shown of the endpoint. */
async function offer(apiEndpoint: string, apiProtocol: string, more: Body = {}) {
  const owner = await service.signIn()
  const agent = await register(owner.call, { apiEndpoint, apiProtocol, ...more })
  const read = async () => (await service.call('GET', `/agents/${agent.id}`)).body
  const card = () => service.call('GET', `/agents/${agent.id}/agent-card.json`)
  return { id: agent.id, owner, read, card, endpoint: async () => (await read()).endpoint as Body }
}

const sentTo = (host: string) => sent.filter(({ url }) => new URL(url).host === host)

/** The requests to a host, except for its ard.json, which is read once a day with its robots.txt. */
const asked = (host: string) =>
  sentTo(host)
    .map(({ method, url }) => `${method} ${new URL(url).pathname}`)
    .filter((path) => path !== `GET ${MANIFEST_PATH}`)

describe('an endpoint', () => {
  it('is unknown until its first probe, then live, in reads, lists and the registry', async () => {
    const host = newHost(() => new Response('hello'))
    const agent = await offer(`https://${host}/x`, 'http')
    const isFound = async (query: string) => {
      const { body } = await service.call('GET', `/agents?${query}&limit=100`)
      return (body.agents as Body[]).some(({ id }) => id === agent.id)
    }
    const isListedAs = async (status: string) => {
      const ofOwner = await isFound(`owner=${agent.owner.wallet.publicKey}&endpoint=${status}`)
      expect(await isFound(`q=test+agent&endpoint=${status}`)).toBe(ofOwner)
      return ofOwner
    }
    expect(await agent.endpoint()).toEqual({ status: 'unknown', card: 'none' })
    expect([await isListedAs('unknown'), await isListedAs('live')]).toEqual([true, false])
    const pubkey = (
      await service.call('POST', '/registry/agents', {
        body: signed(service.clock.now(), { apiEndpoint: `https://${host}/x`, apiProtocol: 'http' }),
      })
    ).body.agent as Body
    await runJobs()
    const shown = await agent.endpoint()
    const nextCheckAt = new Date(nextScheduledRun(service.clock.now() + 5 * HOUR)).toISOString()
    expect(shown).toMatchObject({ status: 'live', nextCheckAt, uptime30d: 1, card: 'none' })
    expect(shown).not.toHaveProperty('auth')
    const listed = (await service.call('GET', '/agents?limit=100')).body.agents as Body[]
    expect(listed.find(({ id }) => id === agent.id)?.endpoint).toEqual(shown)
    expect([await isListedAs('unknown'), await isListedAs('live')]).toEqual([false, true])
    const entry = await service.call('GET', `/registry/agents/${pubkey.pubkey}`)
    expect(entry.body.endpoint).toEqual(shown)
    const entries = (await service.call('GET', '/registry/agents')).body.agents as Body[]
    expect(entries.find((one) => one.pubkey === pubkey.pubkey)?.endpoint).toEqual(shown)
    // Both name the same URL, which is asked once.
    expect(asked(host)).toEqual(['GET /robots.txt', 'GET /x'])
    expect(sentTo(host)[0]?.headers.get('user-agent')).toBe(
      'AgentCred-Probe/1 (+https://api.agentcred.example/v1/docs)',
    )
  })

  it('without a known protocol gets no request, and has no status', async () => {
    const host = newHost(() => new Response())
    const owner = await service.signIn()
    const { id } = await register(owner.call, { apiEndpoint: `https://${host}/` })
    await runJobs()
    expect((await service.call('GET', `/agents/${id}`)).body).not.toHaveProperty('endpoint')
    const states = ['unknown', 'live', 'down'].map((status) =>
      service.call('GET', `/agents?endpoint=${status}`),
    )
    const listed = (await Promise.all(states)).flatMap(({ body }) => body.agents as Body[])
    expect(listed.map((agent) => agent.id)).not.toContain(id)
    const refused = await service.call('GET', '/agents?endpoint=none')
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ path: 'endpoint' }]])
    expect(asked(host)).toEqual([])
  })

  it.each([
    [401, { status: 'live', auth: 'required' }],
    [402, { status: 'live', auth: 'required' }],
    [403, { status: 'live', auth: 'required' }],
    [405, { status: 'live' }],
    [204, { status: 'live' }],
    [404, { status: 'unknown', uptime30d: 0 }],
    [500, { status: 'unknown', uptime30d: 0 }],
    [302, { status: 'unknown', uptime30d: 0 }],
    [429, { status: 'unknown' }],
    [503, { status: 'unknown' }],
  ])('that answers %i is %j after one probe', async (status, expected) => {
    const host = newHost(
      () => new Response(null, { status, headers: { location: 'http://169.254.169.254/' } }),
    )
    const agent = await offer(`https://${host}/x`, 'openapi')
    await runJobs()
    const { checkedAt: _, nextCheckAt: __, latencyMs: ___, ...shown } = await agent.endpoint()
    expect(shown).toEqual({
      card: 'none',
      ...(expected.status === 'live' ? { uptime30d: 1 } : {}),
      ...expected,
    })
    expect(asked(host)).toEqual(['GET /robots.txt', 'GET /x'])
  })

  it('is down after two failures, live after a success; an unchanged body is not sent', async () => {
    let isUp = true
    const host = newHost(({ headers }) =>
      isUp
        ? new Response(null, {
            status: headers.get('if-none-match') === '"v1"' ? 304 : 200,
            headers: { etag: '"v1"' },
          })
        : new Response(null, { status: 502 }),
    )
    const agent = await offer(`https://${host}/`, 'http')
    const statuses: unknown[] = []
    for (const up of [true, true, false, false, true]) {
      isUp = up
      await runJobs()
      statuses.push((await agent.endpoint()).status)
      await toNextProbe()
    }
    expect(statuses).toEqual(['live', 'live', 'live', 'down', 'live'])
    expect((await agent.endpoint()).uptime30d).toBe(0.6)
  })
})

describe('an MCP server', () => {
  const rpc = (body: object, init?: ResponseInit) => Response.json({ jsonrpc: '2.0', id: 1, ...body }, init)

  it('is found live by server/discover', async () => {
    const host = newHost(() => rpc({ result: { supportedVersions: ['2026-07-28'] } }))
    const agent = await offer(`https://${host}/mcp`, 'mcp')
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'live' })
    expect(asked(host)).toEqual(['GET /robots.txt', 'POST /mcp'])
    const { headers, body } = sentTo(host).at(-1) as Sent
    expect(headers.get('mcp-protocol-version')).toBe('2026-07-28')
    expect(headers.get('mcp-method')).toBe('server/discover')
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', method: 'server/discover' })
  })

  it('of an older version is live by initialize, as JSON or a stream; ends its session', async () => {
    const host = newHost(({ method, body }) => {
      if (method === 'DELETE') return new Response(null, { status: 204 })
      if (JSON.parse(body).method !== 'initialize')
        return rpc({ error: { code: -32601, message: 'no such method' } }, { status: 404 })
      const event = `event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}\n\n`
      const stream = new ReadableStream({ start: (c) => c.enqueue(new TextEncoder().encode(event)) })
      return new Response(stream, {
        headers: { 'content-type': 'text/event-stream', 'mcp-session-id': 'session-1' },
      })
    })
    const agent = await offer(`https://${host}/mcp`, 'mcp')
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'live' })
    expect(asked(host)).toEqual(['GET /robots.txt', 'POST /mcp', 'POST /mcp', 'DELETE /mcp'])
    expect(sentTo(host).at(-1)?.headers.get('mcp-session-id')).toBe('session-1')
  })

  it.each<[string, () => Response]>([
    [
      'a newer version',
      () => rpc({ error: { code: -32022, data: { supported: ['2027-03-01'] } } }, { status: 400 }),
    ],
    ['a header that it misses', () => rpc({ error: { code: -32020, message: 'm' } }, { status: 400 })],
  ])('is live where it answers server/discover with an error that names %s', async (_what, answer) => {
    const host = newHost(answer)
    const agent = await offer(`https://${host}/mcp`, 'mcp')
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'live' })
    expect(asked(host)).toEqual(['GET /robots.txt', 'POST /mcp'])
  })

  it.each<[string, () => Response]>([
    ['400 and a text', () => new Response('Bad Request: unsupported protocol version', { status: 400 })],
    ['400 and bytes that are no text', () => new Response(new Uint8Array([0xe9, 0xff]), { status: 400 })],
    ['409 and a page', () => new Response('<html>Conflict</html>', { status: 409 })],
    ['500 and a page', () => new Response('<html>Oops</html>', { status: 500 })],
    ['500 and nothing', () => new Response(null, { status: 500 })],
  ])('is live by initialize where it answers server/discover with %s', async (_what, answer) => {
    const host = newHost(({ body, headers }) => {
      // A strict server takes no version before one is negotiated.
      if (JSON.parse(body).method !== 'initialize' || headers.has('mcp-protocol-version')) return answer()
      return rpc({ result: { protocolVersion: '2025-03-26' } })
    })
    const agent = await offer(`https://${host}/mcp`, 'mcp')
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'live' })
  })

  it.each<[string, () => Response]>([
    ['400 and another error', () => rpc({ error: { code: -32600, message: 'm' } }, { status: 400 })],
    ['500 and an error of MCP', () => rpc({ error: { code: -32022 } }, { status: 500 })],
  ])('is not live because it answers everything with %s', async (_what, answer) => {
    const host = newHost(answer)
    const agent = await offer(`https://${host}/mcp`, 'mcp')
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'unknown', uptime30d: 0 })
  })

  it('is not live because a web page answers 200', async () => {
    const host = newHost(() => new Response('<html>Welcome</html>'))
    const agent = await offer(`https://${host}/mcp`, 'mcp')
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'unknown', uptime30d: 0 })
  })
})

describe('an A2A agent', () => {
  const cardOf = (url: string, changes: object = {}): Body => ({
    name: 'Own',
    description: 'Its own card.',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    version: '7.0.0',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'x', name: 'X', description: 'X', tags: ['x'] }],
    ...changes,
  })

  it('has its host’s own card, unchanged, when the origin’s keys verify it', async () => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'EdDSA' }] }
    let text = ''
    const host = newHost(({ url }) =>
      new URL(url).pathname === '/keys.json' ? Response.json(keys) : new Response(text),
    )
    const url = `https://${host}/a2a`
    const { capabilities: _, ...signable } = cardOf(url)
    const jws = await new FlattenedSign(new TextEncoder().encode(canonicalize(signable)))
      .setProtectedHeader({ alg: 'EdDSA', kid: 'k', typ: 'JOSE', jku: `https://${host}/keys.json` })
      .sign(privateKey)
    const signatures = [{ protected: jws.protected, signature: jws.signature }]
    text = `  ${JSON.stringify(cardOf(url, { signatures }), undefined, 3)}\n`
    const agent = await offer(url, 'a2a-jsonrpc')
    expect((await agent.card()).body.name).toBe('Test agent')
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'live', card: 'verified' })
    const lists = async (list: string, query: string) =>
      (await service.call('GET', `/${list}?${query}&limit=100`)).body.agents as Body[]
    const entry = signed(service.clock.now(), { apiEndpoint: url, apiProtocol: 'a2a-jsonrpc' })
    expect((await service.call('POST', '/registry/agents', { body: entry })).status).toBe(201)
    for (const query of ['', `&q=Test`, `&owner=${agent.owner.wallet.publicKey}`, '&endpoint=live'])
      for (const card of ['verified', 'signed', 'none'])
        expect((await lists('agents', `card=${card}${query}`)).some(({ id }) => id === agent.id)).toBe(
          card === 'verified',
        )
    for (const [query, isIn] of [
      ['card=verified', true],
      ['card=verified&endpoint=live&q=Ledger', true],
      ['card=none', false],
      ['endpoint=down', false],
      ['endpoint=live&card=unsigned', false],
    ] as const)
      expect((await lists('registry/agents', query)).some(({ pubkey }) => pubkey === entry.pubkey)).toBe(isIn)
    for (const list of ['agents', 'registry/agents'])
      expect((await service.call('GET', `/${list}?card=true`)).body.errors).toMatchObject([{ path: 'card' }])
    const answer = await agent.card()
    expect(answer.text).toBe(text)
    expect(answer.headers.get('content-type')).toBe('application/a2a-agent-card+json')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(asked(host)).toEqual(['GET /robots.txt', `GET ${CARD_PATH}`, 'GET /keys.json'])
    // Gone again, the generated one is back.
    hosts.set(host, ({ url: at }) => new Response(null, { status: at.endsWith('/a2a') ? 405 : 404 }))
    await toNextProbe()
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'live', card: 'none' })
    expect((await agent.card()).body.name).toBe('Test agent')
    expect(asked(host).slice(-2)).toEqual([`GET ${CARD_PATH}`, 'GET /a2a'])
  })

  it('has an unchanged card that is verified by the current keys', async () => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
    const own = Response.json.bind(undefined, {
      keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'EdDSA' }],
    })
    let keys: () => Response = own
    let text = ''
    const host = newHost(({ url, headers }) => {
      if (new URL(url).pathname === '/keys.json') return keys()
      return headers.get('if-none-match') === '"c1"'
        ? new Response(null, { status: 304 })
        : new Response(text, { headers: { etag: '"c1"' } })
    })
    const card = cardOf(`https://${host}/a2a`)
    const { capabilities: _, ...signable } = card
    const jws = await new FlattenedSign(new TextEncoder().encode(canonicalize(signable)))
      .setProtectedHeader({ alg: 'EdDSA', kid: 'k', jku: `https://${host}/keys.json` })
      .sign(privateKey)
    text = JSON.stringify({ ...card, signatures: [{ protected: jws.protected, signature: jws.signature }] })
    const agent = await offer(`https://${host}/a2a`, 'a2a-jsonrpc')
    const seen: unknown[] = []
    for (const answer of [
      () => new Response(null, { status: 503 }),
      own,
      () => Response.json({ keys: [] }),
    ]) {
      keys = answer
      await runJobs()
      seen.push((await agent.endpoint()).card)
      await toNextProbe()
    }
    expect(seen).toEqual(['signed', 'verified', 'signed'])
    hosts.delete(host)
    for (let probes = 0; probes < 2; probes += 1) {
      await runJobs()
      await toNextProbe()
    }
    expect(await agent.endpoint()).toMatchObject({ status: 'down', card: 'none' })
    expect((await agent.card()).body.name).toBe('Test agent')
  })

  it.each([
    ['another agent’s', () => cardOf('https://elsewhere.example.com/a2a')],
    ['of the version before', () => ({ ...cardOf('x'), supportedInterfaces: undefined, url: 'x' })],
    ['no card at all', () => 'hello'],
  ])('is probed itself when the card is %s, never by a message', async (_title, card) => {
    const host = newHost(({ url }) =>
      new URL(url).pathname === CARD_PATH ? Response.json(card()) : new Response(null, { status: 401 }),
    )
    const agent = await offer(`https://${host}/a2a`, 'a2a-http')
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'live', auth: 'required', card: 'none' })
    expect((await agent.card()).body.name).toBe('Test agent')
    expect(sentTo(host).every(({ method }) => method === 'GET')).toBe(true)
  })

  it.each([
    ['https://evil.example.com/keys.json'],
    ['https://127.0.0.1/keys.json'],
    ['http://169.254.169.254/latest/meta-data'],
  ])('whose card names keys at %s has a signed card, and nothing is requested there', async (jku) => {
    const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'k', jku })).toString('base64url')
    const host: string = newHost(() =>
      Response.json(
        cardOf(`https://${host}/a2a`, { signatures: [{ protected: header, signature: 'AAAA' }] }),
      ),
    )
    const agent = await offer(`https://${host}/a2a`, 'a2a-jsonrpc')
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'live', card: 'signed' })
    expect(sentTo(new URL(jku).host)).toEqual([])
  })
})

describe('the entry that a host publishes of its agent', () => {
  const DAY = 25 * HOUR
  const identifierOf = (id: unknown) => `urn:air:agentcred.example:agent:${id}`
  const find = (identifier: string) => service.call('GET', `/ard/agents/${encodeURIComponent(identifier)}`)
  const found = async (text: string, publisher?: string) => {
    const { body } = await service.call('POST', '/ard/search', {
      body: { query: { text, filter: { publisher } } },
    })
    return (body.results as Body[]).map(({ identifier }) => identifier)
  }
  /** An agent at a host that calls it so, once it is known here. */
  const publish = async (word: string) => {
    const host = newHost(() => new Response())
    const url = `https://${host}/api`
    const identifier = `urn:air:${host}:agents:${word}`
    const agent = await offer(url, 'http', { description: `Of use for ${word}.` })
    const entry = {
      identifier,
      displayName: word,
      type: 'text/html',
      url,
      metadata: { agentcred: identifierOf(agent.id) },
    }
    manifests.set(host, ({ headers }) =>
      headers.get('if-none-match') === '"m1"'
        ? new Response(null, { status: 304 })
        : Response.json({ entries: [entry] }, { headers: { etag: '"m1"' } }),
    )
    return { agent, host, url, identifier }
  }

  it('names the agent in searches, by publisher, in lists and reads', async () => {
    const { agent, host, identifier } = await publish('beekeeping')
    expect([(await find(identifier)).status, await found('beekeeping')]).toEqual([
      404,
      [identifierOf(agent.id)],
    ])
    await runJobs()
    const { body, status } = await find(identifier)
    expect([status, body.identifier, body.url]).toEqual([
      200,
      identifier,
      `https://api.agentcred.example/v1/agents/${agent.id}`,
    ])
    expect((await find(identifierOf(agent.id))).body).toEqual({ ...body, identifier: identifierOf(agent.id) })
    for (const one of [identifier, identifierOf(agent.id)])
      expect(await service.countSql(() => find(one))).toBe(1)
    expect(await found('beekeeping')).toEqual([identifier])
    expect(await found('beekeeping', host)).toEqual([identifier])
    expect(await found('beekeeping', 'agentcred.example')).toEqual([])
    const listed = await service.call('GET', '/ard/agents?pageSize=100')
    expect((listed.body.items as Body[]).map((item) => item.identifier)).toContain(identifier)
    const explored = await service.call('POST', '/ard/explore', {
      body: { query: { text: 'beekeeping' }, resultType: { facets: [{ field: 'publisher' }] } },
    })
    expect(explored.body.facets).toEqual({ publisher: { buckets: [{ value: host, count: 1 }] } })
  })

  it('is read daily with If-None-Match, and is valid until the host removes it', async () => {
    const { agent, host, identifier } = await publish('glassblowing')
    const asksForIt = () => sentTo(host).filter(({ url }) => url.endsWith(MANIFEST_PATH))
    await runJobs()
    await toNextProbe()
    await runJobs()
    expect(asksForIt()).toHaveLength(1)
    await travel(DAY)
    await runJobs()
    expect(asksForIt().map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"m1"'])
    expect((await find(identifier)).status).toBe(200)
    for (const [said, status] of [
      [new Response(null, { status: 503 }), 200],
      [new Response(null, { status: 404 }), 404],
    ] as const) {
      manifests.set(host, () => said)
      await travel(DAY)
      await runJobs()
      expect((await find(identifier)).status).toBe(status)
    }
    expect((await find(identifierOf(agent.id))).status).toBe(200)
  })

  it('is not used for a stranger with the same endpoint, or an agent that has left', async () => {
    const { agent, url, identifier } = await publish('falconry')
    const stranger = await offer(url, 'http', { description: 'Of use for falconry.' })
    await runJobs()
    expect((await find(identifier)).body.url).toContain(String(agent.id))
    expect(new Set(await found('falconry'))).toEqual(new Set([identifier, identifierOf(stranger.id)]))
    const left = await agent.owner.call('PATCH', `/agents/${agent.id}`, { body: { apiEndpoint: null } })
    expect(left.status).toBe(200)
    expect((await find(identifier)).status).toBe(404)
    expect(new Set(await found('falconry'))).toEqual(
      new Set([identifierOf(agent.id), identifierOf(stranger.id)]),
    )
  })

  it('is found for its present agent, next to a stranger at the former endpoint', async () => {
    const { agent, host, identifier } = await publish('lacemaking')
    await runJobs()
    await offer(`https://${host}/api`, 'http')
    const moved = `https://${host}/new`
    const patch = await agent.owner.call('PATCH', `/agents/${agent.id}`, { body: { apiEndpoint: moved } })
    expect(patch.status).toBe(200)
    const entry = { identifier, url: moved, metadata: { agentcred: identifierOf(agent.id) } }
    manifests.set(host, () => Response.json({ entries: [entry] }))
    await travel(15 * 60_000)
    await runJobs()
    // Of both endpoints it is known that their host calls it so; the one that it has left does not count.
    expect((await find(identifier)).body.url).toContain(String(agent.id))
  })

  it('gives no other host’s agent a name, nor a registry entry any but its own', async () => {
    // The next day's run is less than a day after the first probe of the entry's endpoint.
    await service.clock.travelTo(nextDaily(service.clock.now()) + 3 * HOUR)
    const { agent, identifier: its } = await publish('origami')
    const host = newHost(() => new Response())
    const url = `https://${host}/x`
    const identifier = `urn:air:${host}:agents:x`
    manifests.set(host, () =>
      Response.json({ entries: [{ identifier, url, metadata: { agentcred: identifierOf(agent.id) } }] }),
    )
    await offer(url, 'http')
    const entry = signed(service.clock.now(), { apiEndpoint: `${url}/entry`, apiProtocol: 'http' })
    const registered = await service.call('POST', '/registry/agents', { body: entry })
    expect(registered.status).toBe(201)
    await runJobs()
    expect((await find(identifier)).status).toBe(404)
    expect(await found('origami')).toEqual([its])
    const metadata = { agentcred: `urn:air:agentcred.example:registered:${entry.pubkey}` }
    manifests.set(host, () => Response.json({ entries: [{ identifier, url: `${url}/entry`, metadata }] }))
    await nextDay()
    await runJobs()
    const { body } = await find(identifier)
    expect([body.identifier, body.url]).toEqual([
      identifier,
      `https://api.agentcred.example/v1/registry/agents/${entry.pubkey}`,
    ])
  })
})

describe('a hostile host', () => {
  it('changes only its own status when answers are huge, redirects or malformed', async () => {
    const nested = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)},"__proto__":{"polluted":true}}`
    const answers: Record<string, Host> = {
      huge: () => new Response('x'.repeat(5_000_000)),
      redirecting: () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:8787/' } }),
      nested: () => new Response(nested),
      binary: () => new Response(new Uint8Array([0xff, 0xfe, 0x00])),
    }
    const bad = await Promise.all(
      Object.values(answers).map((answer) => offer(`https://${newHost(answer)}/a2a`, 'a2a-jsonrpc')),
    )
    const kinds = Object.keys(answers)
    const publishers = await Promise.all(
      kinds.map((kind) => {
        const host = newHost(() => new Response())
        manifests.set(host, answers[kind] as Host)
        return offer(`https://${host}/x`, 'http')
      }),
    )
    const good = await offer(`https://${newHost(() => new Response())}/x`, 'http')
    await runJobs()
    expect(await good.endpoint()).toMatchObject({ status: 'live' })
    const seen = await Promise.all(bad.map(async (agent) => (await agent.endpoint()).card))
    expect(seen).toEqual(bad.map(() => 'none'))
    const statuses = await Promise.all(bad.map(async (agent) => (await agent.endpoint()).status))
    expect(Object.fromEntries(kinds.map((kind, n) => [kind, statuses[n]]))).toEqual({
      huge: 'live',
      redirecting: 'unknown',
      nested: 'live',
      binary: 'unknown',
    })
    for (const agent of bad) expect((await agent.card()).body.name).toBe('Test agent')
    const published = await Promise.all(publishers.map(async (one) => (await one.endpoint()).status))
    expect(published).toEqual(kinds.map(() => 'live'))
    // The destination of a redirect gets no request.
    expect(sent.every(({ url }) => new URL(url).protocol === 'https:')).toBe(true)
  })

  it('that asks for a pause of a year is probed again after about a week', async () => {
    const host = newHost(() => new Response(null, { status: 503, headers: { 'retry-after': '31536000' } }))
    await offer(`https://${host}/x`, 'http')
    await runJobs()
    await travel(6.9 * 24 * HOUR)
    await runJobs()
    expect(asked(host)).toEqual(['GET /robots.txt', 'GET /x'])
    await travel(2 * 24 * HOUR)
    await runJobs()
    expect(asked(host).filter((path) => path === 'GET /x')).toHaveLength(2)
  })

  it('can opt out by robots.txt, and is then asked for that alone, once a day', async () => {
    const host = newHost(({ url }) =>
      url.endsWith('/robots.txt') ? new Response('User-agent: AgentCred-Probe\nDisallow: /') : new Response(),
    )
    robots.add(host)
    const agent = await offer(`https://${host}/x`, 'http')
    await runJobs()
    await toNextProbe()
    await runJobs()
    expect(sentTo(host).map(({ url }) => new URL(url).pathname)).toEqual(['/robots.txt'])
    const nextCheckAt = new Date(nextDaily(service.clock.now() + 12 * HOUR)).toISOString()
    expect(await agent.endpoint()).toEqual({ status: 'unknown', nextCheckAt, card: 'none' })
    await nextDay()
    await runJobs()
    expect(asked(host)).toEqual(['GET /robots.txt', 'GET /robots.txt'])
  })

  it.each([
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://metadata.internal/x',
    'https://agent.example.com:8443/x',
    'http://agent.example.com/x',
    'https://api.agentcred.example/v1/agents',
  ])('at %s is never asked', async (url) => {
    const agent = await offer(url, 'http')
    await runJobs()
    expect(asked(new URL(url).host)).toEqual([])
    expect(await agent.endpoint()).toEqual({ status: 'unknown', card: 'none' })
  })
})

describe('a host that many agents name', () => {
  it('gets one probe at a time and a share of a run; other hosts do not wait', async () => {
    let underWay = 0
    let most = 0
    const victim = newHost(async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise((resolve) => setTimeout(resolve, 20))
      underWay -= 1
      return new Response(null, { status: 404 })
    })
    for (let wallet = 0; wallet < 3; wallet++) {
      const { call } = await service.signIn()
      for (let n = 0; n < 15; n++)
        await register(call, { apiEndpoint: `https://${victim}/${wallet}/${n}`, apiProtocol: 'http' })
    }
    const honest = await offer(`https://${newHost(() => new Response())}/`, 'http')
    await Promise.all([runJobs(), runJobs(), runJobs()])
    const probes = () => asked(victim).filter((path) => path !== 'GET /robots.txt').length
    expect(probes()).toBe(15)
    expect(most).toBe(1)
    expect(await honest.endpoint()).toMatchObject({ status: 'live' })
    await travel(30 * 60_000)
    await runJobs()
    expect(probes()).toBe(15)
    await toNextProbe()
    await runJobs()
    expect(probes()).toBe(25)
  })
})

describe('on the Clock alone', () => {
  /** Runs what is due by now. @returns when the next alarm comes */
  const quiet = async (): Promise<number> => {
    for (;;) {
      const at = await service.reachAlarm()
      if (at > service.clock.now() + 5_000) return at
      await service.clock.travelTo(Math.max(at, service.clock.now()))
    }
  }
  /** Reaches the alarm that what was just named has set. @returns when the next one comes */
  const firstProbe = async () => {
    // A minute later, with a tolerance of three.
    const at = service.clock.now() + 4 * 60_000
    await expect.poll(() => service.reachAlarm()).toBe(at)
    await service.clock.travelTo(at)
    return quiet()
  }
  /** The latest next probe of an endpoint that was just probed. */
  const latestRun = () => nextScheduledRun(service.clock.now() + 5 * HOUR) + 3 * 60_000

  it('an endpoint is probed after four minutes, and then four times a day', async () => {
    await quiet()
    const host = newHost(() => new Response())
    const agent = await offer(`https://${host}/x`, 'http')
    let at = await firstProbe()
    expect(await agent.endpoint()).toMatchObject({ status: 'live' })
    const probes = () => asked(host).filter((path) => path === 'GET /x').length
    const before = probes()
    for (let wake = 0; wake < 4; wake += 1) {
      expect(at).toBe(latestRun())
      await service.clock.travelTo(at)
      at = await quiet()
    }
    expect(probes() - before).toBe(4)
  })

  it('nothing is probed, and nothing wakes the database between daily jobs', async () => {
    // Lets the jobs run that earlier tests have scheduled.
    await service.clock.travelTo(await quiet())
    expect(await quiet()).toBe(nextDaily(service.clock.now()) + 5 * 60_000)
  })

  it('a host with very many agents costs one wake-up a scheduled run', async () => {
    await quiet()
    const host = newHost(() => new Response())
    for (let wallet = 0; wallet < 3; wallet++) {
      const { call } = await service.signIn()
      for (let n = 0; n < 15; n++)
        await register(call, { apiEndpoint: `https://${host}/${wallet}/${n}`, apiProtocol: 'http' })
    }
    let at = await firstProbe()
    for (let run = 0; run < 3; run += 1) {
      expect(at).toBe(latestRun())
      await service.clock.travelTo(at)
      at = await quiet()
    }
  })
})

describe('a host that does not answer in time', () => {
  const endless = () =>
    new ReadableStream({
      pull: async (c) => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        c.enqueue(new Uint8Array(1_000).fill(32))
      },
    })
  const answers: Host[] = [() => new Promise<Response>(() => {}), () => new Response(endless())]
  // Of its own: a host that answers is later than so short a limit on a busy machine.
  beforeAll(async () => {
    await service.stop()
    await start({ ANSWER_TIMEOUT_MS: 1_000 })
  })

  it('changes nothing but its own status when it says nothing, or never ends', async () => {
    const bad = await Promise.all(
      answers.map((answer) => offer(`https://${newHost(answer)}/a2a`, 'a2a-jsonrpc')),
    )
    await runJobs()
    for (const agent of bad) {
      expect(await agent.endpoint()).toMatchObject({ status: 'unknown', uptime30d: 0, card: 'none' })
      expect((await agent.card()).body.name).toBe('Test agent')
    }
  })

  it('is live when its endpoint answers and its ard.json does not', async () => {
    const publishers = answers.map((answer) => {
      const host = newHost(() => new Response())
      manifests.set(host, answer)
      return offer(`https://${host}/x`, 'http')
    })
    for (const publisher of await Promise.all(publishers))
      await expect
        .poll(async () => {
          await runJobs()
          const { status } = await publisher.endpoint()
          await toNextProbe()
          return status
        })
        .toBe('live')
  })
})

describe('a job run that is cut off', () => {
  it('loses nothing: leased endpoints are probed when the lease has ended', async () => {
    const host = newHost(() => new Response())
    const agent = await offer(`https://${host}/x`, 'http')
    const database = service.database.handler
    let statements = 0
    // The statement that records is the first to fail, as if the Worker had been killed.
    await service.withFault(
      async (request) => {
        const text = await request.clone().text()
        if (text.includes('record_probes') && ++statements > 0) return new Response('killed', { status: 500 })
        return database(request)
      },
      async () => {
        await runJobs().catch(() => {})
      },
    )
    expect(statements).toBeGreaterThan(0)
    expect(await agent.endpoint()).toMatchObject({ status: 'unknown' })
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'unknown' })
    await travel(4 * 60_000)
    await runJobs()
    expect(await agent.endpoint()).toMatchObject({ status: 'live' })
  })
})

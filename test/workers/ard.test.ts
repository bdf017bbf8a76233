import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusedPaths, register } from '../support/agents.ts'
import { signed } from '../support/registry.ts'
import { type Answer, type Body, type Service, startService } from '../support/service.ts'

/** The pattern of the specification's own schema. */
const IDENTIFIER = /^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

type Entry = Body & { identifier: string; representativeQueries: string[]; url: string }

const search = (text: string, more: Body = {}, filter?: Body): Promise<Answer> =>
  service.call('POST', '/ard/search', { body: { query: { text, filter }, ...more } })
const results = ({ body }: Answer) => body.results as (Entry & { score: number; source: string })[]
const read = (identifier: string) => service.call('GET', `/ard/agents/${encodeURIComponent(identifier)}`)
const explore = async (facets: Body[], query?: Body) => {
  const { body } = await service.call('POST', '/ard/explore', { body: { query, resultType: { facets } } })
  return body.facets as Record<string, { buckets: { value: string; count: number }[]; otherCount?: number }>
}
const enter = async (changes: Body = {}) => {
  const body = signed(service.clock.now(), changes)
  const answer = await service.call('POST', '/registry/agents', { body })
  expect(answer.status, answer.text).toBe(201)
  return String(body.pubkey)
}

/** What ARD wants of an error. */
const expectArdError = ({ status, body }: Answer, wanted: number, errorCode: string) => {
  expect(status).toBe(wanted)
  expect(body).toMatchObject({ errorCode, message: body.detail })
}

describe('the published manifest', () => {
  it('links to the registry and the MCP server, also for older software', async () => {
    const manifest = await service.call('GET', '/.well-known/ard.json')
    expect(manifest.status).toBe(200)
    const [registry, mcp] = manifest.body.entries as Entry[]
    expect(registry).toMatchObject({
      identifier: 'urn:air:agentcred.example:registry:agents',
      type: 'application/ai-registry+json',
      url: 'https://api.agentcred.example/v1/ard/',
    })
    expect(mcp).toMatchObject({
      identifier: 'urn:air:agentcred.example:mcp:agentcred',
      type: 'application/mcp-server-card+json',
      url: 'https://api.agentcred.example/v1/mcp/server-card',
    })
    const card = await service.call('GET', new URL(mcp?.url ?? '').pathname.slice('/v1'.length))
    expect(card.headers.get('content-type')).toBe(mcp?.type)
    expect([IDENTIFIER.test(mcp?.identifier ?? ''), mcp?.representativeQueries.length]).toEqual([true, 3])
    const older = await service.call('GET', '/.well-known/ai-catalog.json')
    expect(older.body).toEqual({
      specVersion: '1.0',
      host: { displayName: 'AgentCred', identifier: 'agentcred.example' },
      entries: manifest.body.entries,
    })
  })

  it('does not depend on the request’s Host', async () => {
    const asked = (path: string, method: string, body = '') =>
      new Promise<string>((resolve, reject) => {
        const headers = { host: 'evil.example.com', 'content-type': 'application/json' }
        const sent = httpRequest(`${service.origin}${path}`, { method, headers }, (response) => {
          let text = ''
          response.on('data', (part) => {
            text += part
          })
          response.on('end', () => resolve(text))
        })
        sent.on('error', reject)
        sent.end(body)
      })
    const { call } = await service.signIn()
    await register(call, { name: 'Host test', description: 'hosttest' })
    const texts = [
      await asked('/.well-known/ard.json', 'GET'),
      await asked('/.well-known/ai-catalog.json', 'GET'),
      await asked('/v1/ard/agents', 'GET'),
      await asked('/v1/ard/search', 'POST', '{"query":{"text":"hosttest"}}'),
    ]
    for (const text of texts) {
      expect(text).toContain('urn:air:agentcred.example')
      expect(text).not.toContain('evil')
    }
  })
})

describe('an entry', () => {
  it('describes an agent with the URL for its endpoint’s protocol', async () => {
    const { call } = await service.signIn()
    const its = async (changes: Body) => {
      const { id } = await register(call, { supportedLayers: [10, 17], ...changes })
      const { body } = await read(`urn:air:agentcred.example:agent:${id}`)
      return { id, entry: body as Entry }
    }
    const apiEndpoint = 'https://scout.example.com/api'
    const plain = await its({ name: 'Plain Scout' })
    expect(plain.entry).toEqual({
      identifier: `urn:air:agentcred.example:agent:${plain.id}`,
      displayName: 'Plain Scout',
      type: 'application/vnd.agentcred.agent+json',
      url: `https://api.agentcred.example/v1/agents/${plain.id}`,
      description: 'An autonomous agent of the marketplace for inference, liquidity.',
      tags: ['autonomous', 'marketplace'],
      capabilities: ['inference', 'liquidity'],
      representativeQueries: [
        'find an autonomous agent for inference and liquidity',
        'which agent can help me with inference?',
        'which agent can help me with liquidity?',
      ],
      metadata: {
        agentType: 'autonomous',
        feeModel: 'percentage',
        reputationScore: 0,
        paidPerRequest: false,
      },
    })
    const kinds = [
      ['mcp', 'application/mcp-server-card+json', (id: string) => `/v1/agents/${id}/mcp-server-card`],
      ['a2a-jsonrpc', 'application/a2a-agent-card+json', (id: string) => `/v1/agents/${id}/agent-card.json`],
      ['a2a-http', 'application/a2a-agent-card+json', (id: string) => `/v1/agents/${id}/agent-card.json`],
      ['http', 'application/vnd.agentcred.agent+json', (id: string) => `/v1/agents/${id}`],
    ] as const
    for (const [apiProtocol, type, path] of kinds) {
      const { id, entry } = await its({ apiEndpoint, apiProtocol })
      expect(entry).toMatchObject({ type, url: `https://api.agentcred.example${path(id)}` })
    }
    const open = await its({ apiEndpoint, apiProtocol: 'openapi', description: 'In its own words' })
    expect(open.entry).toMatchObject({
      type: 'application/openapi+json',
      url: apiEndpoint,
      description: 'In its own words',
    })
    // Without an endpoint there is nothing that could speak anything.
    expect((await its({ apiProtocol: 'mcp' })).entry.type).toBe('application/vnd.agentcred.agent+json')
  })

  it('follows the specification, also for registry entries', async () => {
    const pubkey = await enter({
      capabilities: ['mcp_gateway', 'tax_optimization'],
      description: 'Two\nlines',
    })
    const { body } = await read(`urn:air:agentcred.example:registered:${pubkey}`)
    expect(body).toMatchObject({
      url: `https://api.agentcred.example/v1/registry/agents/${pubkey}`,
      tags: ['personal', 'registry'],
      capabilities: ['mcp_gateway', 'tax_optimization'],
      description: 'Two\nlines',
    })
    const { body: list } = await service.call('GET', '/ard/agents?pageSize=100')
    for (const entry of list.items as Entry[]) {
      expect(entry.identifier).toMatch(IDENTIFIER)
      expect('url' in entry !== 'data' in entry).toBe(true)
      expect(entry.representativeQueries.length).toBeGreaterThanOrEqual(2)
      expect(entry.representativeQueries.length).toBeLessThanOrEqual(5)
      expect(entry).not.toHaveProperty('trustManifest')
    }
  })

  it('is found by exactly its identifier, which is decoded once', async () => {
    const { call } = await service.signIn()
    const { id } = await register(call)
    const identifier = `urn:air:agentcred.example:agent:${id}`
    const { status, body, headers } = await read(identifier)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('score')
    expect(body).not.toHaveProperty('source')
    const again = await service.call('GET', `/ard/agents/${identifier}`, {
      headers: { 'if-none-match': String(headers.get('etag')) },
    })
    expect(again.status).toBe(304)
    // Encoded twice it is not an identifier: `%3A` is no character of one.
    expectArdError(
      await service.call('GET', `/ard/agents/${encodeURIComponent(encodeURIComponent(identifier))}`),
      400,
      'INVALID_ARGUMENT',
    )
    for (const malformed of [
      'not-a-valid-ard-urn',
      'urn%',
      'urn%zz',
      '%',
      'urn:air:x:a%2Fb',
      `urn:air:x:${'a'.repeat(400)}`,
      'urn:ai:x:y',
    ])
      expectArdError(await service.call('GET', `/ard/agents/${malformed}`), 400, 'INVALID_ARGUMENT')
    for (const unknown of [
      'urn:air:ard-conformance.invalid:probe:not-found',
      `urn:air:other.example:agent:${id}`,
      identifier.toUpperCase().replace('URN:AIR', 'urn:air'),
      `urn:air:agentcred.example:agent:${crypto.randomUUID()}`,
      'urn:air:agentcred.example:agent:1',
      'urn:air:agentcred.example:registered:1',
      'urn:air:agentcred.example:registry:agents',
    ])
      expectArdError(await read(unknown), 404, 'NOT_FOUND')
    await call('PATCH', `/agents/${id}`, { body: { status: 'inactive' } })
    expectArdError(await read(identifier), 404, 'NOT_FOUND')
  })
})

describe('search', () => {
  it('finds agents of both lists, with score and source, in pages', async () => {
    const { call } = await service.signIn()
    for (const name of ['Kelp One', 'Kelp Two', 'Kelp Three'])
      await register(call, { name, description: 'Harvests kelp' })
    await enter({ name: 'Kelp registry', description: 'Counts kelp harvests' })
    const found: string[] = []
    let pageToken: string | undefined
    do {
      const page = await search('please find somebody who is harvesting kelp', { pageSize: 3, pageToken })
      for (const result of results(page)) {
        expect(result).toMatchObject({
          score: expect.any(Number),
          source: 'https://api.agentcred.example/v1/ard/',
        })
        expect(result).not.toHaveProperty('representativeQueries')
        found.push(String(result.displayName))
      }
      pageToken = page.body.pageToken as string | undefined
      if (pageToken === undefined) expect(page.body).not.toHaveProperty('pageToken')
    } while (pageToken !== undefined)
    expect(found.toSorted()).toEqual(['Kelp One', 'Kelp Three', 'Kelp Two', 'Kelp registry'])
  })

  it('finds parts of words, other forms and scripts without spaces in every search', async () => {
    const { call } = await service.signIn()
    const its = { name: 'DeFi/NFT Wächter', description: 'Node.js, ΑΣΤΗΡ 今月の売上レポート' }
    const { id } = await register(call, its)
    const pubkey = await enter(its)
    const found = async (q: string) => {
      const query = `q=${encodeURIComponent(q)}`
      const params = { name: 'search_agents', arguments: { q } }
      const tool = await service.call('POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
        headers: { accept: 'application/json, text/event-stream' },
      })
      const { structuredContent } = tool.body.result as { structuredContent: Body }
      const lists = [
        (await service.call('GET', `/agents?${query}`)).body,
        structuredContent,
        (await service.call('GET', `/registry/agents?${query}`)).body,
      ]
      const entries = results(await search(q)).map(({ identifier }) => identifier.split(':').at(-1))
      return [...lists.map(({ agents }) => (agents as Body[]).map((one) => one.id ?? one.pubkey)), entries]
    }
    for (const q of [
      'nft',
      'WACHTER',
      'Wächter'.normalize('NFD'),
      'js',
      'αστήρ',
      '売上',
      '今月の売上レポート',
    ])
      expect(await found(q), q).toEqual([[id], [id], [pubkey], [id, pubkey]])
  })

  it('accepts filters of one value or several, a context, and every mode of federation', async () => {
    const { call } = await service.signIn()
    const apiEndpoint = 'https://mango.example.com/'
    await register(call, { name: 'Mango MCP', apiEndpoint, apiProtocol: 'mcp' })
    await register(call, { name: 'Mango A2A', apiEndpoint, apiProtocol: 'a2a-http', feeModel: 'flat' })
    const names = async (filter: Body) =>
      results(await search('mango', {}, filter)).map(({ displayName }) => displayName)
    expect(await names({ type: 'application/mcp-server-card+json' })).toEqual(['Mango MCP'])
    expect(
      await names({ type: ['application/mcp-server-card+json', 'application/a2a-agent-card+json'] }),
    ).toHaveLength(2)
    expect(await names({ type: ['text/html'] })).toEqual([])
    expect(await names({ 'metadata.feeModel': 'flat', tags: ['marketplace'] })).toEqual(['Mango A2A'])
    for (const tags of ['registry', 'agent', 'registered', 'constructor'])
      expect(await names({ tags }), tags).toEqual([])
    expect(
      await names({ capabilities: ['liquidity', 'swarm'], publisher: 'agentcred.example' }),
    ).toHaveLength(2)
    expect(await names({ publisher: 'other.example' })).toEqual([])
    for (const federation of ['auto', 'referrals', 'none']) {
      const query = { text: 'mango', '@context': { okf: 'https://openknowledgeformat.org/ns#' } }
      const answer = await service.call('POST', '/ard/search', { body: { query, federation } })
      expect(results(answer)).toHaveLength(2)
      expect(answer.body).not.toHaveProperty('referrals')
    }
  })

  it.each<[string, Body, string]>([
    ['no query', {}, 'query'],
    ['no text', { query: {} }, 'query.text'],
    ['a huge text', { query: { text: 'x'.repeat(1_001) } }, 'query.text'],
    ['control characters', { query: { text: 'a\u0000b' } }, 'query.text'],
    [
      'another field',
      { query: { text: 'x', filter: { 'trustManifest.attestations.type': 'SOC2' } } },
      'query.filter.trustManifest.attestations.type',
    ],
    [
      'a filter of prototypes',
      { query: { text: 'x', filter: { constructor: 'x' } } },
      'query.filter.constructor',
    ],
    ['no value', { query: { text: 'x', filter: { type: [] } } }, 'query.filter.type'],
    ['too many values', { query: { text: 'x', filter: { tags: Array(51).fill('x') } } }, 'query.filter.tags'],
    ['a value that is none', { query: { text: 'x', filter: { tags: [{}] } } }, 'query.filter.tags'],
    ['a page of none', { query: { text: 'x' }, pageSize: 0 }, 'pageSize'],
    ['a huge page', { query: { text: 'x' }, pageSize: 101 }, 'pageSize'],
    ['a foreign token', { query: { text: 'x' }, pageToken: 'eyJwYWdlIjogMn0' }, 'pageToken'],
    ['an unknown field', { query: { text: 'x' }, vector: [] }, 'vector'],
  ])('rejects %s by name', async (_what, body, path) => {
    const answer = await service.call('POST', '/ard/search', { body })
    expectArdError(answer, 400, 'INVALID_ARGUMENT')
    expect(refusedPaths(answer)).toContain(path)
  })

  it('answers every error in ARD’s form', async () => {
    expectArdError(await service.call('GET', '/ard/nothing'), 404, 'NOT_FOUND')
    expectArdError(await service.call('GET', '/ard/search'), 405, 'NOT_FOUND')
    const headers = { 'content-type': 'application/json' }
    expectArdError(await service.call('POST', '/ard/search', { raw: '{', headers }), 400, 'INVALID_ARGUMENT')
    expectArdError(await service.call('POST', '/ard/search', { raw: '{}' }), 415, 'INVALID_ARGUMENT')
    const huge = JSON.stringify({ query: { text: 'x', '@context': 'x'.repeat(70_000) } })
    expectArdError(await service.call('POST', '/ard/search', { raw: huge, headers }), 413, 'INVALID_ARGUMENT')
    const down = () => new Response('no', { status: 503 })
    await service.withFault(down, async () => {
      expectArdError(await search('anything'), 503, 'INTERNAL_ERROR')
    })
    const { body } = await service.call('GET', '/nothing')
    expect(body).not.toHaveProperty('errorCode')
  })
})

describe('metadata.paidPerRequest', () => {
  it('is a fact, a filter and a facet of agents that sell requests', async () => {
    const { call } = await service.signIn()
    const { id } = await register(call, { name: 'Lychee seller' })
    const { id: other } = await register(call, { name: 'Lychee hireling' })
    const pubkey = await enter({ name: 'Lychee entry' })
    const body = { prices: [{ name: 'GET /', amount: 5 }] }
    expect((await call('PUT', `/x402/agents/${id}/prices`, { body })).status).toBe(200)
    const found = async (filter?: Body) =>
      results(await search('lychee', {}, filter)).map(({ identifier }) => identifier.split(':').at(-1))
    const filters = (value: unknown) => ({ 'metadata.paidPerRequest': value })
    expect((await found()).toSorted()).toEqual([id, other, pubkey].toSorted())
    for (const value of [true, 'true', ['true']]) expect(await found(filters(value))).toEqual([id])
    for (const value of [false, 'false', [false]]) expect(await found(filters(value))).toEqual([other])
    expect((await found(filters([true, 'false']))).toSorted()).toEqual([id, other].toSorted())
    expect(refusedPaths(await search('lychee', {}, filters('yes')))).toEqual([
      'query.filter.metadata.paidPerRequest',
    ])
    const facets = await explore([{ field: 'metadata.paidPerRequest' }, { field: 'tags' }], {
      text: 'lychee',
    })
    expect(facets['metadata.paidPerRequest']?.buckets).toEqual([
      { value: 'false', count: 1 },
      { value: 'true', count: 1 },
    ])
    const metadataOf = async (identifier: string) => (await read(identifier)).body.metadata
    expect(await metadataOf(`urn:air:agentcred.example:agent:${id}`)).toMatchObject({ paidPerRequest: true })
    expect(await metadataOf(`urn:air:agentcred.example:registered:${pubkey}`)).not.toHaveProperty(
      'paidPerRequest',
    )
    const { body: list } = await service.call('GET', '/ard/agents?pageSize=100')
    const listed = (list.items as Entry[]).find(({ identifier }) => identifier.endsWith(id))
    expect(listed?.metadata).toMatchObject({ paidPerRequest: true })
  })
})

describe('explore', () => {
  it('counts what a search finds, in the requested number of buckets', async () => {
    const { call } = await service.signIn()
    await register(call, { name: 'Papaya one', supportedLayers: [1, 2, 3] })
    await register(call, { name: 'Papaya two', supportedLayers: [1], feeModel: 'flat' })
    await enter({ name: 'Papaya entry', capabilities: ['shopping'] })
    const facets = await explore(
      [
        { field: 'type' },
        { field: 'capabilities', limit: 1 },
        { field: 'tags', minCount: 2 },
        { field: 'publisher' },
        { field: 'metadata.feeModel' },
      ],
      { text: 'papaya' },
    )
    expect(facets).toEqual({
      type: { buckets: [{ value: 'application/vnd.agentcred.agent+json', count: 3 }] },
      capabilities: { buckets: [{ value: 'shopping', count: 3 }], otherCount: 2 },
      tags: {
        buckets: [
          { value: 'autonomous', count: 2 },
          { value: 'marketplace', count: 2 },
        ],
      },
      publisher: { buckets: [{ value: 'agentcred.example', count: 3 }] },
      'metadata.feeModel': {
        buckets: [
          { value: 'flat', count: 1 },
          { value: 'free', count: 1 },
          { value: 'percentage', count: 1 },
        ],
      },
    })
    const filtered = await explore([{ field: 'tags' }], { text: 'papaya', filter: { tags: 'registry' } })
    expect(filtered.tags?.buckets).toEqual([
      { value: 'personal', count: 1 },
      { value: 'registry', count: 1 },
    ])
    const none = await explore([{ field: 'type' }], { filter: { publisher: 'other.example' } })
    expect(none.type).toEqual({ buckets: [] })
    const everything = await explore([{ field: 'publisher' }])
    expect(everything.publisher?.buckets[0]?.count).toBeGreaterThanOrEqual(3)
  })

  it.each<[Body, string]>([
    [{}, 'resultType'],
    [{ resultType: { facets: [] } }, 'resultType.facets'],
    [{ resultType: { facets: [{ field: 'displayName' }] } }, 'resultType.facets.0.field'],
    [{ resultType: { facets: Array(8).fill({ field: 'type' }) } }, 'resultType.facets'],
    [{ resultType: { facets: [{ field: 'type', limit: 10_000 }] } }, 'resultType.facets.0.limit'],
  ])('rejects %j', async (body, path) => {
    const answer = await service.call('POST', '/ard/explore', { body })
    expectArdError(answer, 400, 'INVALID_ARGUMENT')
    expect(refusedPaths(answer)).toContain(path)
  })
})

describe('the list', () => {
  it('has every agent and entry once for every page size', async () => {
    const { call } = await service.signIn()
    const mine = await Promise.all([1, 2, 3].map(() => register(call)))
    const entry = await enter()
    const seen: string[] = []
    let pageToken: string | undefined
    do {
      const query = pageToken === undefined ? '' : `&pageToken=${pageToken}`
      const { body, status } = await service.call('GET', `/ard/agents?pageSize=2${query}`)
      expect(status).toBe(200)
      // No token leads to a page of nothing.
      expect(body.items).not.toEqual([])
      seen.push(...(body.items as Entry[]).map(({ identifier }) => identifier))
      pageToken = body.pageToken as string | undefined
    } while (pageToken !== undefined)
    expect(new Set(seen).size).toBe(seen.length)
    for (const { id } of mine) expect(seen).toContain(`urn:air:agentcred.example:agent:${id}`)
    expect(seen).toContain(`urn:air:agentcred.example:registered:${entry}`)
  })

  it.each([
    'pageSize=0',
    'pageSize=101',
    'pageSize=x',
    'pageToken=x',
    'pageToken=..',
    'filter=type',
    'orderBy=name',
  ])('rejects ?%s', async (query) => {
    const answer = await service.call('GET', `/ard/agents?${query}`)
    expectArdError(answer, 400, 'INVALID_ARGUMENT')
    expect(refusedPaths(answer)).toEqual([query.split('=')[0]])
  })
})

it('needs at most one statement for a search, explore, a list page or a lookup', async () => {
  const { call } = await service.signIn()
  const { id } = await register(call)
  const cost = (action: () => Promise<unknown>) => service.countSql(action)
  expect(await cost(() => search('anything at all'))).toBe(1)
  expect(await cost(() => explore([{ field: 'type' }]))).toBe(1)
  expect(await cost(() => service.call('GET', '/ard/agents?pageSize=1'))).toBe(1)
  expect(await cost(() => read(`urn:air:agentcred.example:agent:${id}`))).toBe(1)
  expect(await cost(() => read('urn:air:other.example:agent:x'))).toBe(1)
  expect(await cost(() => read('urn:air:agentcred.example:registry:agents'))).toBe(0)
  expect(await cost(() => service.call('GET', '/.well-known/ard.json'))).toBe(0)
})

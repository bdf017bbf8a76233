import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../lib/mcp/catalog.ts'
import { LEGACY_VERSIONS, META, MODERN_VERSION } from '../../lib/mcp/protocol.ts'
import { meta, modernHeaders, post } from '../support/mcp.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'mcp'] })
})
afterAll(() => service.stop())

const request = (method: string, params: object | null = { _meta: meta }) => ({
  jsonrpc: '2.0',
  id: 'a',
  method,
  params,
})
const modern = (method: string, params?: object | null, headers = modernHeaders(method)) =>
  post(service, request(method, params), headers)

describe('a message', () => {
  it.each([
    ['no JSON', '{"jsonrpc"', -32700, undefined],
    ['nothing', '', -32700, undefined],
    ['a batch', [request('ping'), request('ping')], -32600, undefined],
    ['an empty batch', [], -32600, undefined],
    ['a text', '"ping"', -32600, undefined],
    ['null', 'null', -32600, undefined],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600, 1],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32600, 1],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, -32600, 1],
    ['parameters by position', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32600, 1],
    ['an id of null', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600, undefined],
    ['an id that is no integer', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32600, undefined],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, -32600, undefined],
  ])('of %s is rejected with its id, if it has one', async (_what, body, code, id) => {
    const answer = await post(service, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      ...(id === undefined ? {} : { id }),
      error: { code, message: expect.any(String) },
    })
  })

  it('that is a notification is accepted without an answer, in every version', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    for (const headers of [
      { 'content-type': 'application/json' },
      modernHeaders('notifications/initialized'),
    ]) {
      const answer = await post(service, notification, headers)
      expect([answer.status, answer.text]).toEqual([202, ''])
    }
  })

  it('of another content type is 415, one that is too large 413', async () => {
    expect((await post(service, request('ping'), { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(service, request('x'.repeat(70_000)))).status).toBe(413)
  })

  it.each(['GET', 'DELETE', 'PUT'])('can not be sent by %s', async (method) => {
    const answer = await service.call(method, '/mcp')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS')
  })
})

describe('a modern request', () => {
  it('reads all versions, the capabilities, how long to cache them, and the server', async () => {
    const { status, body, headers } = await modern('server/discover')
    expect(status).toBe(200)
    expect(headers.get('mcp-session-id')).toBeNull()
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: {
        resultType: 'complete',
        supportedVersions: [MODERN_VERSION, ...LEGACY_VERSIONS],
        capabilities: { tools: {} },
        instructions: expect.stringContaining('budgetLimit'),
        ttlMs: 300_000,
        cacheScope: 'public',
        _meta: { [META.server]: catalog.server },
      },
    })
  })

  it('lists tools with hints for caches, and rejects a cursor', async () => {
    const { result } = (await modern('tools/list')).body as { result: object }
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' })
    const other = await modern('tools/list', { cursor: 'b', _meta: meta })
    expect(other.body).toMatchObject({ error: { code: -32602 } })
  })

  it.each([
    ['no _meta', {}, 'server/discover'],
    ['no version', { _meta: { [META.capabilities]: {} } }, 'server/discover'],
    ['a version that is no text', { _meta: { ...meta, [META.version]: 1 } }, 'server/discover'],
    ['no capabilities', { _meta: { [META.version]: MODERN_VERSION } }, 'server/discover'],
    ['null for capabilities', { _meta: { ...meta, [META.capabilities]: null } }, 'server/discover'],
    ['a text for _meta', { _meta: 'modern' }, 'server/discover'],
    ['null for _meta', { _meta: null }, 'server/discover'],
    ['null for the version', { _meta: { ...meta, [META.version]: null } }, 'server/discover'],
    ['null for params', null, 'server/discover'],
  ])('with %s is malformed', async (_what, params, method) => {
    const { status, body } = await modern(method, params)
    expect([status, body]).toMatchObject([400, { id: 'a', error: { code: -32602 } }])
  })

  it('needs no clientInfo, and takes null for any member that may be absent', async () => {
    expect((await modern('server/discover', { _meta: meta })).status).toBe(200)
    const nulls = { ...meta, 'io.modelcontextprotocol/clientInfo': null, progressToken: null }
    expect((await modern('tools/list', { _meta: nulls, cursor: null })).status).toBe(200)
    const call = { name: 'search_agents', arguments: null, _meta: nulls }
    const { body } = await modern('tools/call', call, modernHeaders('tools/call', 'search_agents'))
    expect(body.result).toMatchObject({ structuredContent: { agents: expect.any(Array) } })
  })

  it.each([
    ['no version', 'tools/list', { 'mcp-method': 'tools/list' }],
    [
      'another version',
      'tools/list',
      { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2025-11-25' },
    ],
    ['no method', 'tools/list', { 'mcp-protocol-version': MODERN_VERSION }],
    ['another method', 'tools/list', modernHeaders('tools/call')],
    ['another case of the method', 'tools/list', modernHeaders('TOOLS/LIST')],
    ['two methods', 'tools/list', modernHeaders('tools/list, tools/call')],
    ['no name', 'tools/call', modernHeaders('tools/call')],
    ['another name', 'tools/call', modernHeaders('tools/call', 'end_hire')],
    ['a name that does not decode', 'tools/call', modernHeaders('tools/call', '=?base64?Z2V0!!?=')],
  ])('whose headers have %s is rejected', async (_what, method, headers) => {
    const params = { name: 'search_agents', arguments: {}, _meta: meta }
    const answer = await post(service, request(method, params), {
      'content-type': 'application/json',
      ...headers,
    })
    expect([answer.status, answer.body]).toMatchObject([400, { id: 'a', error: { code: -32020 } }])
  })

  it('may encode its name', async () => {
    const name = `=?base64?${btoa('search_agents')}?=`
    const params = { name: 'search_agents', _meta: meta }
    expect((await modern('tools/call', params, modernHeaders('tools/call', name))).status).toBe(200)
  })

  it.each(['2025-11-25', '2027-01-01', 'v999.0.0'])(
    'of version %s is rejected with the supported versions',
    async (version) => {
      const headers = { ...modernHeaders('server/discover'), 'mcp-protocol-version': version }
      const { status, body } = await modern(
        'server/discover',
        { _meta: { ...meta, [META.version]: version } },
        headers,
      )
      expect([status, body]).toMatchObject([
        400,
        {
          error: {
            code: -32022,
            data: { supported: [MODERN_VERSION, ...LEGACY_VERSIONS], requested: version },
          },
        },
      ])
    },
  )

  it.each(['initialize', 'ping', 'prompts/list', 'subscriptions/listen', 'constructor', '__proto__'])(
    'finds no method %s',
    async (method) => {
      const { status, body } = await modern(method)
      expect([status, body]).toMatchObject([404, { id: 'a', error: { code: -32601 } }])
    },
  )
})

describe('a legacy request', () => {
  const initialize = (protocolVersion: unknown) =>
    post(
      service,
      request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } }),
    )

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    [1, '2025-11-25'],
  ])('that begins with %s gets %s and no session', async (asked, given) => {
    const { status, body, headers } = await initialize(asked)
    expect(status).toBe(200)
    expect(headers.get('mcp-session-id')).toBeNull()
    expect(body.result).toEqual({
      protocolVersion: given,
      capabilities: { tools: {} },
      serverInfo: catalog.server,
      instructions: expect.any(String),
    })
  })

  it('gets answers without the members of modern ones', async () => {
    const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-06-18' }
    expect((await post(service, request('ping', {}), headers)).body).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: {},
    })
    const { body } = await post(service, request('tools/list', {}), headers)
    expect(body.result).toEqual({ tools: catalog.tools })
  })

  it('takes null for any member that may be absent', async () => {
    for (const [method, params] of [
      ['ping', null],
      ['ping', undefined],
      ['ping', { _meta: null }],
      ['ping', { _meta: { [META.version]: null, [META.capabilities]: null } }],
      ['ping', { _meta: { progressToken: null } }],
      ['initialize', null],
      ['initialize', { protocolVersion: null, capabilities: null, clientInfo: null }],
      ['tools/list', null],
      ['tools/list', undefined],
      ['tools/list', { cursor: null, _meta: null }],
      ['tools/call', { name: 'search_agents' }],
      ['tools/call', { name: 'search_agents', arguments: null }],
      ['tools/call', { name: 'search_agents', arguments: { q: null, layer: null, limit: 1 } }],
    ] as const) {
      const message = { jsonrpc: '2.0', id: 'a', method, params }
      const { status, body } = await post(service, message)
      expect([status, body], `${method} ${JSON.stringify(params)}`).toMatchObject([
        200,
        { id: 'a', result: {} },
      ])
      expect(body.result).not.toHaveProperty('isError')
    }
  })

  it('finds no modern method, and gets an error with 200', async () => {
    const { status, body } = await post(service, request('server/discover', {}))
    expect([status, body]).toMatchObject([200, { error: { code: -32601 } }])
  })

  it('of a version that this server does not speak is rejected', async () => {
    const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2024-11-05' }
    const { status, body } = await post(service, request('ping', {}), headers)
    expect([status, body]).toMatchObject([
      400,
      { error: { code: -32022, data: { requested: '2024-11-05' } } },
    ])
  })
})

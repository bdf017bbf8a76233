import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registration } from '../support/agents.ts'
import { type Call, type Service, startService } from '../support/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService()
  call = (await service.signIn()).call
})
afterAll(() => service.stop())

const json = { 'content-type': 'application/json' }

describe('errors', () => {
  it('have one shape, with the request’s id and a link to their meaning', async () => {
    const answer = await service.call('GET', '/agents?limit=x', { headers: { 'x-request-id': 'mine-1' } })
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).toBe('mine-1')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.body).toEqual({
      type: `${service.origin}/v1/docs#error-invalid_request`,
      title: 'Invalid request',
      status: 400,
      detail: 'limit must be a whole number.',
      code: 'invalid_request',
      requestId: 'mine-1',
      errors: [{ path: 'limit', message: 'must be a whole number' }],
    })
  })

  it('ignore a request id that could forge a log line', async () => {
    for (const id of ['a b', 'x'.repeat(300), '{"level":"error"}']) {
      const answer = await service.call('GET', '/agents', { headers: { 'x-request-id': id } })
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('are 404 for unknown paths of every Worker', async () => {
    for (const path of ['/nope', '/auth', '/auth/nope', '/agentsx', '/agents/', '/agents/x/y', '/%2e%2e/x']) {
      expect((await service.call('GET', path)).body.code, path).toBe('unknown_path')
    }
    for (const path of ['/v2/agents', '/favicon.ico']) {
      const response = await fetch(`${service.origin}${path}`)
      expect(response.status, path).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'unknown_path' })
    }
  })

  it('are 405 with Allow for wrong methods', async () => {
    const cases = [
      ['PUT', '/agents', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/auth/handshake', 'GET, HEAD, POST, OPTIONS'],
      ['GET', '/agents/register', 'POST, OPTIONS'],
      ['PATCH', '/agents/hire', 'GET, HEAD, POST, DELETE, OPTIONS'],
      ['POST', '', 'GET, HEAD, OPTIONS'],
      ['POST', '/docs', 'GET, HEAD, OPTIONS'],
      ['POST', '/agents/01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d', 'GET, HEAD, PATCH, OPTIONS'],
    ] as const
    for (const [method, path, allow] of cases) {
      const answer = await service.call(method, path)
      expect(answer.status, `${method} ${path}`).toBe(405)
      expect(answer.body.code).toBe('method_not_allowed')
      expect(answer.headers.get('allow')).toBe(allow)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  it('are 400 for malformed JSON and for JSON that is not an object', async () => {
    for (const raw of ['', '{', '{"name":', 'undefined', '{"a":1}}', '\ufeff{}x']) {
      const answer = await call('POST', '/agents/register', { raw, headers: json })
      expect(answer.body, raw).toMatchObject({ status: 400, code: 'malformed_json' })
    }
    for (const raw of ['[]', 'null', '1', '"text"', 'true']) {
      const answer = await call('POST', '/agents/register', { raw, headers: json })
      expect(answer.body, raw).toMatchObject({ status: 400, code: 'invalid_request' })
    }
  })

  it.each([
    ['POST', '/agents/register'],
    ['POST', '/registry/agents'],
    ['PUT', `/x402/agents/${crypto.randomUUID()}/prices`],
    ['POST', '/mcp'],
  ])('reject a body of %s %s that is not UTF-8', async (method, path) => {
    // A name in ISO-8859-1, half a character at the end, a surrogate, and an overlong slash.
    for (const bytes of ['"Caf\xe9"}', '"\xe2\x82', '"\xed\xa0\x80"}', '"\xc0\xaf"}']) {
      const raw = Buffer.from(`{"name":${bytes}`, 'latin1')
      const answer = await call(method, path, { raw, headers: json })
      expect(answer.status, bytes).toBe(400)
      expect(path === '/mcp' ? answer.body.error : answer.body, bytes).toMatchObject(
        path === '/mcp'
          ? { code: -32700, message: 'The body is not UTF-8.' }
          : { code: 'malformed_json', detail: 'The body is not UTF-8.' },
      )
    }
  })

  it('are read in full after one that ended within a character', async () => {
    const cut = Buffer.from('{"name":"\xe2\x82', 'latin1')
    expect((await call('POST', '/agents/register', { raw: cut, headers: json })).status).toBe(400)
    const { body } = await call('POST', '/agents/register', { body: registration({ name: 'Café €' }) })
    expect(body.name).toBe('Café €')
  })

  it('reject a parameter that is not UTF-8, and accept U+FFFD itself', async () => {
    const answer = await service.call('GET', '/agents?limit=1&q=caf%E9')
    expect(answer.body).toMatchObject({ status: 400, errors: [{ path: 'q', message: 'must be UTF-8' }] })
    expect((await service.call('GET', '/agents?q=caf%ef%BF%bd+100%')).status).toBe(200)
    expect((await service.call('GET', '/agents?unknown=caf%E9')).status).toBe(200)
  })

  it('are 415 for another content type, but not for its parameters or case', async () => {
    const raw = JSON.stringify(registration())
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'multipart/form-data',
    ]) {
      const answer = await call('POST', '/agents/register', { raw, headers: { 'content-type': type } })
      expect(answer.body, type).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      expect(
        (await call('POST', '/agents/register', { raw, headers: { 'content-type': type } })).status,
      ).toBe(201)
    }
  })

  it('are 413 above 64 KiB, whether the length is declared or not', async () => {
    const body = (bytes: number) => JSON.stringify(registration({ name: 'x'.repeat(bytes) }))
    const overhead = body(0).length
    const fits = await call('POST', '/agents/register', { raw: body(65_536 - overhead), headers: json })
    expect(fits.body).toMatchObject({ status: 400, errors: [{ path: 'name' }] })
    const declared = await call('POST', '/agents/register', { raw: body(65_537 - overhead), headers: json })
    expect(declared.body).toMatchObject({ status: 413, code: 'body_too_large' })
    const { token } = await service.signIn()
    const streamed = await sendChunked(`${service.origin}/v1/agents/register`, token, body(200_000))
    expect(streamed).toBe(413)
  })

  it('name members called __proto__ or constructor as unknown', async () => {
    const raw =
      '{"name":"Agent","agentType":"oracle","supportedLayers":[1],"__proto__":{"status":"suspended"}}'
    const answer = await call('POST', '/agents/register', { raw, headers: json })
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request' })
  })
})

describe('CORS', () => {
  it('answers a preflight for any origin, without credentials', async () => {
    const answer = await service.call('OPTIONS', '/agents/register', {
      headers: {
        origin: 'https://dapp.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE')
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(answer.headers.get('access-control-max-age')).toBe('86400')
  })

  it('allows the headers that tracing scripts and MCP clients add, never credentials', async () => {
    const asked = 'authorization,baggage,mcp-session-id,sentry-trace,traceparent,x-datadog-trace-id'
    for (const path of ['/agents', '/mcp', '/nope']) {
      const { headers } = await service.call('OPTIONS', path, {
        headers: { origin: 'https://dapp.example.com', 'access-control-request-headers': asked },
      })
      const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(',')
      expect(allowed).toEqual(expect.arrayContaining(asked.split(',')))
      expect(headers.get('vary')).toBe('Access-Control-Request-Headers')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it('lets a page read the headers that it needs', async () => {
    const { headers } = await service.call('GET', '/agents', {
      headers: { origin: 'https://dapp.example.com' },
    })
    expect(headers.get('access-control-expose-headers')).toBe(
      'ETag,Link,Retry-After,RateLimit-Policy,WWW-Authenticate,X-Request-Id',
    )
  })
})

describe('caching', () => {
  it('is off by default and conditional for public reads', async () => {
    for (const path of ['', '/', '/agents', '/auth/jwks.json', '/openapi.json']) {
      const first = await service.call('GET', path)
      expect(first.headers.get('cache-control'), path).toBe('no-cache')
      const etag = String(first.headers.get('etag'))
      for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await service.call('GET', path, { headers: { 'if-none-match': condition } })
        expect(again.status, `${path} ${condition}`).toBe(304)
        expect(again.headers.get('cache-control')).toBe('no-cache')
        expect(again.headers.get('access-control-expose-headers')).toContain('ETag')
      }
      expect((await service.call('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    }
    for (const answer of [await call('GET', '/agents/hire'), await service.call('GET', '/auth/handshake')]) {
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('etag')).toBeNull()
    }
  })

  it('keeps the Link header in a 304', async () => {
    await call('POST', '/agents/register', { body: registration() })
    await call('POST', '/agents/register', { body: registration() })
    const first = await service.call('GET', '/agents?limit=1')
    const etag = String(first.headers.get('etag'))
    const again = await service.call('GET', '/agents?limit=1', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    expect(again.headers.get('link')).toBe(first.headers.get('link'))
  })

  it('sends the same headers in a 304 as in the 200, except those of the body', async () => {
    const id = { 'x-request-id': 'mine-2' }
    for (const path of ['/agents?limit=1', '/marketplace/stats', '/docs']) {
      const full = await fetch(`${service.origin}/v1${path}`, { headers: id })
      const etag = String(full.headers.get('etag'))
      const same = await fetch(`${service.origin}/v1${path}`, { headers: { ...id, 'if-none-match': etag } })
      expect([full.status, same.status], path).toEqual([200, 304])
      const ofBody = ['content-type', 'content-length', 'content-security-policy', 'transfer-encoding']
      const isKept = ([name]: [string, string]) => name !== 'date' && !ofBody.includes(name)
      const expected = [...full.headers].filter(isKept)
      expect([...same.headers].filter(isKept), path).toEqual(expected)
      expect(await same.text()).toBe('')
    }
  })

  it('answers HEAD as GET without a body, under the same conditions', async () => {
    const full = await service.call('GET', '/agents')
    const answer = await service.call('HEAD', '/agents')
    expect(answer.status).toBe(200)
    const etag = String(answer.headers.get('etag'))
    expect(etag).toBe(full.headers.get('etag'))
    expect(etag).toMatch(/^"[^"]+"$/)
    const again = await service.call('HEAD', '/agents', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })
})

/** Posts a body without a Content-Length. */
const sendChunked = (url: string, token: string, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { ...json, authorization: `Bearer ${token}`, 'transfer-encoding': 'chunked' }
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end(body)
  })

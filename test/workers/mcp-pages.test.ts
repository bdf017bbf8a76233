import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRaw, type Json, meta, modernHeaders, post, type RawAnswer } from '../support/mcp.ts'
import { type Service, startService } from '../support/service.ts'

/* Attacks by pages of other sites. A browser names the page in Origin. */

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'mcp'] })
})
afterAll(() => service.stop())

const json = { 'content-type': 'application/json' }
const page = { origin: 'https://any.example' }
const request = (method: string, params: Json = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

/** How many requests to other Workers an answer took. */
const subrequestsOf = async ({ headers }: RawAnswer) => {
  const { subrequests } = await service.logs.of(headers.get('x-request-id'), '/v1/mcp')
  return (subrequests as { worker?: number }).worker ?? 0
}

/** The page’s script runs where anybody on the way can change it, or where its site can’t be named. */
describe.each(['http://evil.example', 'null'])('a page of %s', (origin) => {
  it.each<[string, () => Promise<RawAnswer>]>([
    ['initialize', () => post(service, request('initialize'), { ...json, origin })],
    ['ping', () => post(service, request('ping'), { ...json, origin })],
    ['tools/list', () => post(service, request('tools/list'), { ...json, origin })],
    [
      'server/discover',
      () =>
        post(service, request('server/discover', { _meta: meta }), {
          ...modernHeaders('server/discover'),
          origin,
        }),
    ],
    [
      'a notification',
      () => post(service, { jsonrpc: '2.0', method: 'notifications/a' }, { ...json, origin }),
    ],
    ['no JSON', () => post(service, 'a', { ...json, origin })],
    // Such a request needs no preflight.
    ['text', () => post(service, 'a', { 'content-type': 'text/plain', origin })],
  ])('is refused when it sends %s', async (_what, send) => {
    const { status, body, headers } = await send()
    expect([status, body]).toMatchObject([
      403,
      { code: 'origin_refused', status: 403, title: 'Origin refused' },
    ])
    expect(body.requestId).toBe(headers.get('x-request-id'))
  })

  it('reaches no tool, even with a token', async () => {
    const { token, call } = await service.signIn()
    const authorization = `Bearer ${token}`
    const answer = await callRaw(service, 'list_my_hires', {}, { origin, authorization })
    expect(answer.status).toBe(403)
    expect(await subrequestsOf(answer)).toBe(0)
    expect((await call('GET', '/agents/hire')).status).toBe(200)
  })

  it('can read why, and its preflight is answered', async () => {
    const asked = { origin, 'access-control-request-method': 'POST' }
    expect((await service.call('OPTIONS', '/mcp', { headers: asked })).status).toBe(204)
    const { headers } = await post(service, request('ping'), { ...json, origin })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('a page of another site over https', () => {
  it('may call, with the headers of the protocol', async () => {
    const { headers } = await service.call('OPTIONS', '/mcp', { headers: page })
    const allowed = headers.get('access-control-allow-headers')
    for (const name of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Authorization'])
      expect(allowed).toContain(name)
    const answer = await callRaw(service, 'search_agents', {}, page)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('can not act for the browser’s user: nothing goes by cookies', async () => {
    const { token } = await service.signIn()
    const cookie = `session=${token}; sessionToken=${token}; authorization=Bearer ${token}`
    const answer = await callRaw(service, 'list_my_hires', {}, { ...page, cookie })
    expect([answer.status, answer.body.code]).toEqual([401, 'token_missing'])
    // Without this header a browser shows no answer to a request that had cookies.
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a'])(
    'can not send %s, as forms do without a preflight',
    async (type) => {
      const call = JSON.stringify(request('tools/call', { name: 'search_agents', arguments: {} }))
      const answer = await post(service, call, { ...page, 'content-type': type })
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type'])
      expect(await subrequestsOf(answer)).toBe(0)
    },
  )

  it('can read that a token is bad, and which scheme wants it', async () => {
    const answer = await callRaw(service, 'list_my_hires', {}, { ...page, authorization: 'Bearer forged' })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  })
})

it('serves the inspector’s page on the developer’s machine', async () => {
  const answer = await callRaw(service, 'search_agents', {}, { origin: 'http://localhost:6274' })
  expect(answer.status).toBe(200)
})

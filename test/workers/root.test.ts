import { gzipSync } from 'node:zlib'
import robotsParser from 'robots-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../schema/errors.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['root', 'agents', 'console'] })
})
afterAll(() => service.stop())

it('describes itself at the base address, with and without the slash', async () => {
  const [bare, slash] = [await service.call('GET', ''), await service.call('GET', '/')]
  expect(bare.body).toMatchObject({ name: 'AgentCred', version: '1.0.0', status: 'operational' })
  expect(slash.body).toEqual(bare.body)
})

it('redirects people from / to the console, and software to the catalog', async () => {
  const answer = await fetch(`${service.origin}/`, { redirect: 'manual' })
  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe('/console/')
  expect(answer.headers.get('link')).toBe('</.well-known/ard.json>; rel="ard"')
})

it.each([
  ['/console/', true],
  ['/.well-known/ard.json', true],
  ['/v1/docs', true],
  ['/v1/ard/agents?pageSize=100', true],
  ['/v1/agents/01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d/agent-card.json', true],
  ['/v1/registry/agents/4Nd1m/mcp-server-card', true],
  ['/v1/agents', false],
  ['/v1/agents?offset=50', false],
  ['/v1/marketplace/stats', false],
  ['/v1/reputation?user_id=4Nd1m', false],
])('shows crawlers in robots.txt whether they may read %s: %s', async (path, isAllowed) => {
  const answer = await fetch(`${service.origin}/robots.txt`)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
  const robots = robotsParser('https://api.agentcred.example/robots.txt', await answer.text())
  expect(robots.isAllowed(`https://api.agentcred.example${path}`, 'AnyBot/1')).toBe(isAllowed)
})

it('serves its description as OpenAPI 3.1', async () => {
  const { body, headers } = await service.call('GET', '/openapi.json')
  expect(headers.get('content-type')).toContain('application/json')
  expect(body.openapi).toBe('3.1.0')
  expect(Object.keys(body.paths as object)).toContain('/agents/hire')
})

it('serves its description as OpenAPI 3.0, and 304 when it is unchanged', async () => {
  const { body, headers } = await service.call('GET', '/openapi-3.0.json')
  expect(headers.get('content-type')).toContain('application/json')
  expect(body.openapi).toBe('3.0.3')
  expect(Object.keys(body.paths as object)).toContain('/agents/hire')
  const etag = headers.get('etag') ?? ''
  const again = await fetch(`${service.origin}/v1/openapi-3.0.json`, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})

it('serves a reference with only its own scripts, which explains every error code', async () => {
  const { text, headers } = await service.call('GET', '/docs')
  expect(headers.get('content-type')).toContain('text/html')
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  )
  expect(text.match(/<(script|link|img|iframe)\b[^>]*>|@import|(?<!new )url\(/gi)).toEqual([
    '<script src="/v1/docs/filter.js">',
    '<script src="/v1/docs/tabs.js">',
  ])
  expect(gzipSync(text).length).toBeLessThan(76 * 1024)
  for (const code of Object.keys(errors)) expect(text).toContain(`id="error-${code}"`)
  const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  for (const id of anchors) expect(text).toContain(`id="${id}"`)
  const { origin } = service
  const schemas = await fetch(`${origin}/v1/docs/schemas`)
  expect(schemas.headers.get('content-security-policy')).toBe(headers.get('content-security-policy'))
  const explained = await schemas.text()
  for (const [, id] of text.matchAll(/href="\/v1\/docs\/schemas#([^"]+)"/g))
    expect(explained).toContain(`<section id="${id}">`)
  for (const name of ['filter', 'tabs']) {
    const script = await fetch(`${origin}/v1/docs/${name}.js`)
    expect(script.headers.get('content-type')).toContain('javascript')
  }
})

it('serves the reference as Markdown, and llms.txt with a link to it', async () => {
  const read = async (path: string) => {
    const answer = await fetch(service.origin + path)
    expect(answer.status, path).toBe(200)
    expect(answer.headers.get('content-type'), path).toMatch(/^text\/(markdown|plain)/)
    return answer.text()
  }
  const llms = await read('/llms.txt')
  expect(llms).toMatch(/^# AgentCred\n\n> /)
  const targets = [...llms.matchAll(/\]\((\/[^)#]+)/g)].map(([, target = '']) => target)
  for (const target of new Set(targets)) expect((await fetch(service.origin + target)).status).toBe(200)
  const { body } = await service.call('GET', '/openapi.json')
  const page = await read('/v1/docs.md')
  for (const [path, methods] of Object.entries(body.paths as object))
    for (const method of Object.keys(methods)) expect(page).toContain(`### ${method.toUpperCase()} ${path}\n`)
  for (const code of Object.keys(errors)) expect(page).toContain(`- \`${code}\` (`)
  const schemas = await read('/v1/docs/schemas.md')
  for (const [, name] of page.matchAll(/\[(\w+)\]\(\/v1\/docs\/schemas\.md#/g))
    expect(schemas).toContain(`## ${name}\n`)
})

it('orders the reference from logging in to the service itself', async () => {
  const { text } = await service.call('GET', '/docs')
  const guides = ['examples', 'hirer', 'owner', 'server', 'webhooks', 'pages', 'x402', 'mcp']
  const order = [
    ...guides.map((name) => `guide-${name}`),
    'login',
    'listAgents',
    'hireAgent',
    'fundBudget',
    'listEvents',
  ]
  const places = [...order, 'stack', 'getReputation', 'getApiInfo', 'onAgentRegisteredEvent', 'errors'].map(
    (id) => text.search(`<(section|h2) id="${id}"`),
  )
  expect(places).not.toContain(-1)
  // The URI of the extension in agent cards.
  expect(text).toContain('<section id="guide-x402"><a id="requests">')
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

describe('every file of the console', () => {
  it.each([
    ['the page', '/console/', 200],
    ['a view’s own address', '/console/vault', 200],
    ['an unknown agent’s address', '/console/agents/01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d', 404],
    ['the consent page', '/console/connect?client_id=a', 200],
    ['a missing file', '/console/assets/gone-12345678.js', 404],
  ])('is served with the policy: %s', async (_, path, status) => {
    const answer = await fetch(service.origin + path)
    expect(answer.status).toBe(status)
    expectPolicy(answer)
  })

  it('is served with the policy and cached for a year when it is a script', async () => {
    const { origin } = service
    const page = await (await fetch(`${origin}/console/`)).text()
    const [script = ''] = /\/console\/assets\/[^"]+\.js/.exec(page) ?? []
    const answer = await fetch(origin + script)
    expectPolicy(answer)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const missing = await fetch(`${origin}/console/assets/gone-12345678.js`)
    expect(missing.headers.get('cache-control')).toBe('no-store')
  })
})

it.each([
  ['/console/', 'same-origin-allow-popups'],
  ['/console/market', 'same-origin-allow-popups'],
  ['/console/developer/connect', 'same-origin-allow-popups'],
  ['/console/apps', 'same-origin-allow-popups'],
  ['/console/connect', null],
  ['/console/connect/', null],
  ['/console/connect?client_id=a&redirect_uri=b.html', null],
])('lets popups keep their opener on the consent page alone: %s', async (path, policy) => {
  const { status, headers } = await fetch(service.origin + path)
  expect([status, headers.get('cross-origin-opener-policy')]).toEqual([200, policy])
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

it('answers a program at the consent page with what the API says of its request', async () => {
  const page = `${service.origin}/console/connect?client_id=nobody&redirect_uri=https://a.example/cb`
  const answer = await fetch(page, { headers: { accept: 'application/json' } })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([400, '*'])
  expect(await answer.json()).toMatchObject({ code: 'invalid_client', error: 'invalid_client' })
  const browser = await fetch(page, { headers: { accept: 'text/html,application/json;q=0.9,*/*;q=0.8' } })
  expect(browser.headers.get('content-type')).toContain('text/html')
})

function expectPolicy({ headers }: Response): void {
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /)
  expect(headers.get('content-security-policy')).not.toContain('unsafe')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { type Service, startService } from '../support/service.ts'

const operator = createWallet()
let service: Service

beforeAll(async () => {
  service = await startService({
    knowsOrigin: true,
    groups: ['root', 'auth', 'agents', 'console'],
    bindings: { OPERATOR_WALLETS: operator.publicKey },
  })
})
afterAll(() => service?.stop())

const open = (path: string, init?: RequestInit) =>
  fetch(`${service.origin}/console/${path}`, { redirect: 'manual', ...init })

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

describe('the page of an agent', () => {
  it('has its name and description in the title and the tags for previews', async () => {
    const { call } = await service.signIn()
    const text = { name: 'Tide & "Time" <b>', description: `</title><script>alert('1')</script>` }
    const { id } = await register(call, text)
    const answer = await open(`agents/${id}`)
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(page).toContain('<title>Tide &amp; &quot;Time&quot; &lt;b&gt; · AgentCred</title>')
    expect(page).toContain('&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;')
    expect(page).not.toContain('<script>alert')
    expect(page).toContain(`property="og:url" content="${service.origin}/console/agents/${id}"`)
    const [, picture = ''] = /og:image" content="([^"]+)"/.exec(page) ?? []
    expect((await fetch(picture)).headers.get('content-type')).toBe('image/png')
    const head = await open(`agents/${id}`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('is served without a preview when the agent is suspended', async () => {
    const { call } = await service.signIn()
    const { id } = await register(call, { name: 'Free CRED' })
    const { call: moderate } = await service.signIn(operator)
    const body = { status: 'suspended', reason: 'Spam' }
    expect((await moderate('PATCH', `/agents/${id}`, { body })).status).toBe(200)
    const answer = await open(`agents/${id}`)
    expect([answer.status, (await answer.text()).includes('Free CRED')]).toEqual([200, false])
  })
})

it('serves an agent’s page without a preview, and no sitemap, when the database fails', async () => {
  const fails = () => new Response(null, { status: 500 })
  await service.withFault(fails, async () => {
    const page = await open('agents/00000000-0000-7000-8000-000000000001')
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('<title>AgentCred</title>'),
    ])
    const sitemap = await open('sitemap.xml')
    expect([sitemap.status, sitemap.headers.get('retry-after')]).toEqual([503, '3600'])
  })
})

it.each([
  ['market', 200, 'Market · AgentCred'],
  ['statistics/', 200, 'Statistics · AgentCred'],
  ['vault', 200, 'AgentCred'],
  ['hires/7', 200, 'AgentCred'],
  ['nope', 404, 'AgentCred'],
  ['constructor', 404, 'AgentCred'],
  ['market/nope', 404, 'AgentCred'],
  ['agents/nope', 404, 'AgentCred'],
  [`agents/${UNKNOWN}`, 404, 'AgentCred'],
])('answers the address %s with the page, status %i and the title %s', async (path, status, title) => {
  const answer = await open(path)
  const page = await answer.text()
  expect([answer.status, /<title>(.*)<\/title>/.exec(page)?.[1]]).toEqual([status, title])
  expect(page.includes('name="robots" content="noindex"')).toBe(status === 404)
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
})

it('leads from former addresses to the present ones', async () => {
  const { status, headers } = await open('developer/register?a=b')
  expect([status, headers.get('location')]).toEqual([301, `${service.origin}/console/agents/register?a=b`])
})

describe('the sitemap', () => {
  it('lists public views and the agents of the market, and robots.txt names it', async () => {
    const { call } = await service.signIn()
    const { id } = await register(call, { name: 'Listed' })
    const shelved = await register(call, { name: 'Shelved' })
    await call('PATCH', `/agents/${shelved.id}`, { body: { status: 'inactive' } })
    const robots = await (await fetch(`${service.origin}/robots.txt`)).text()
    const [, address = ''] = /^Sitemap: (.*)$/m.exec(robots) ?? []
    const urlsOf = async (url: string) =>
      [...(await (await fetch(url)).text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url)
    const pages = await urlsOf(address)
    expect(pages[0]).toBe(`${service.origin}/console/sitemap/views.xml`)
    const urls = (await Promise.all(pages.map(urlsOf))).flat()
    expect(urls).toContain(`${service.origin}/console/market`)
    expect(urls).toContain(`${service.origin}/console/agents/${id}`)
    expect(urls).not.toContain(`${service.origin}/console/agents/${shelved.id}`)
    for (const url of urls) expect([url, (await fetch(url)).status]).toEqual([url, 200])
  })

  it('does not ask the database for a page that it does not name', async () => {
    expect((await open(`sitemap/${UNKNOWN}.xml`)).status).toBe(404)
  })
})

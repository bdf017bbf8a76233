import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, signerOf } from '../../lib/cli/wallet.ts'
import { createClient } from '../../lib/client/index.ts'
import { freePort } from '../../lib/local/loopback.ts'
import { startBrowser } from '../support/browser.ts'
import { connectClient } from '../support/mcp.ts'
import { type Service, startService } from '../support/service.ts'
import { listen } from '../support/sockets.ts'
import { payableAgent, payerOf } from '../support/x402-service.ts'

/*
 * The service has moved from localhost to 127.0.0.1: two hosts of one server. Clients of each kind ask the
 * former one.
 */

let service: Service
let present: string
let former: string

beforeAll(async () => {
  const port = await freePort()
  present = `http://127.0.0.1:${port}`
  former = `http://localhost:${port}`
  service = await startService({
    port,
    topology: 'gateway',
    bindings: { FORMER_HOSTS: `before.example,localhost:${port}`, API_ORIGIN: present },
  })
})

afterAll(() => service.stop())

type Asked = { method?: string; host?: string; headers?: Record<string, string> }

/** Asks for a path under any host's name. */
async function ask(path: string, { method = 'GET', host, headers = {} }: Asked = {}) {
  const sent = request(present, {
    method,
    path,
    headers: { host: host ?? new URL(former).host, connection: 'close', ...headers },
  }).end()
  const [answer] = await once(sent, 'response')
  answer.resume()
  await once(answer, 'end')
  return { status: answer.statusCode as number, headers: answer.headers as IncomingHttpHeaders }
}

const NAVIGATION = { 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*;q=0.8' }

describe('pages at a former host', () => {
  it.each(['/', '/console/', '/console/agents?q=a%20b', '/v1/docs', '/v1/docs/schemas'])(
    'lead to the same path at the present one: %s',
    async (path) => {
      for (const headers of [NAVIGATION, { accept: 'text/html' }])
        expect(await ask(path, { headers })).toMatchObject({
          status: 308,
          // A cached redirect would loop once the service moves back.
          headers: { location: present + path, 'cache-control': 'no-store' },
        })
    },
  )

  it('are shown at the present one, with what their address had', async () => {
    const browser: Browser = await startBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(`${former}/v1/docs?from=before#pagination`)
      expect(page.url()).toBe(`${present}/v1/docs?from=before#pagination`)
      // A page that was open before the move goes on: its scripts and calls are no navigations.
      await page.goto(`${present}/v1/docs`)
      const app = await browser.newPage()
      const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('app'))
      await once(site.listen(0, '127.0.0.1'), 'listening')
      await app.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
      const { token } = await service.signIn()
      const seen = await app.evaluate(
        async ([url, token]) => {
          const answer = await fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${token}` } })
          return { status: answer.status, url: answer.url, link: answer.headers.get('link') }
        },
        [former, token] as const,
      )
      expect(seen).toMatchObject({ status: 200, url: `${former}/v1/events` })
      expect(seen.link).toContain(`<${present}/v1/events>; rel="canonical"`)
      site.close()
    } finally {
      await browser.close()
    }
  })

  it('lead to no other host, for any path or host', async () => {
    const { headers } = await ask('//evil.example/console', { headers: NAVIGATION })
    expect(new URL(String(headers.location)).host).toBe(new URL(present).host)
    for (const host of ['evil.example', 'localhost', 'before.example:8443', 'a.before.example'])
      expect((await ask('/console/', { host, headers: NAVIGATION })).status).not.toBe(308)
    expect((await ask('/console/', { host: 'BEFORE.example', headers: NAVIGATION })).status).toBe(308)
    expect((await ask('/console/', { host: new URL(present).host, headers: NAVIGATION })).status).toBe(200)
  })
})

describe('calls at a former host are answered there', () => {
  it('for scripts’ files, a Java client that takes HTML, a POST and a preflight', async () => {
    const java = { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' }
    expect((await ask('/v1/agents', { headers: java })).status).toBe(200)
    expect((await ask('/v1/auth/handshake', { method: 'POST', headers: NAVIGATION })).status).not.toBe(308)
    const script = await ask('/v1/docs/filter.js', {
      headers: { 'sec-fetch-mode': 'no-cors', accept: '*/*' },
    })
    expect(script.status).toBe(200)
    const preflight = await ask('/v1/agents/hire', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(preflight).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': '*' } })
  })

  it('a session works at both, by fetch and by the client', async () => {
    const { token } = await service.signIn()
    const answer = await fetch(`${former}/v1/events`, { headers: { authorization: `Bearer ${token}` } })
    expect([answer.status, answer.redirected]).toEqual([200, false])
    const wallet = createWallet()
    const options = { baseUrl: `${former}/v1`, wallet: signerOf(wallet) }
    const moved = createClient({ ...options, origin: present })
    expect(await moved.call('GET /events')).toMatchObject({ count: 0 })
    // The login names the present host.
    const unaware = createClient(options).login()
    await expect(unaware).rejects.toMatchObject({ code: 'challenge_unexpected' })
  })

  it('an agent’s facilitator URL verifies payments by the published client', async () => {
    const agent = await payableAgent(service)
    const facilitator = new HTTPFacilitatorClient({ url: `${former}/v1/x402/k/${agent.key}` })
    expect((await facilitator.getSupported()).kinds).toHaveLength(1)
    const { paymentPayload, paymentRequirements } = await (await payerOf(service)).sign(agent)
    expect(await facilitator.verify(paymentPayload, paymentRequirements)).toMatchObject({ isValid: true })
  })

  it.each(['modern', 'legacy'] as const)('the official MCP client calls tools there (%s)', async (kind) => {
    const { token } = await service.signIn()
    const client = await connectClient({ origin: former }, kind, token)
    expect((await client.listTools()).tools.length).toBeGreaterThan(5)
    await client.close()
  })

  it('a live connection opens there', async () => {
    const { token } = await service.signIn()
    const { close } = await listen({ ...service, origin: former }, token)
    expect(await close()).toMatchObject({ code: 1000 })
  })
})

it('a redirect would lose the session: fetch drops Authorization between origins', async () => {
  const seen: (string | undefined)[] = []
  const target = createServer(({ headers }, answer) => {
    seen.push(headers.authorization)
    answer.end()
  })
  await once(target.listen(0, '127.0.0.1'), 'listening')
  const location = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
  const source = createServer((_, answer) => answer.writeHead(308, { location }).end())
  await once(source.listen(0, '127.0.0.1'), 'listening')
  await fetch(`http://localhost:${(source.address() as AddressInfo).port}/`, {
    method: 'POST',
    body: '{}',
    headers: { authorization: 'Bearer x' },
  })
  expect(seen).toEqual([undefined])
  for (const server of [source, target]) server.close()
})

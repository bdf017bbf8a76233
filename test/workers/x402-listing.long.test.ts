import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextDaily, nextScheduledRun } from '../../lib/clock/jobs.ts'
import {
  acceptsOf,
  bazaarOf,
  type Host,
  hostsOf,
  listingOf,
  paymentRequired,
  resourcesOf,
  sellerAt,
} from '../support/listing.ts'
import { type Service, startService } from '../support/service.ts'
import { type PayableAgent, payerOf } from '../support/x402-service.ts'

const HOUR = 3_600_000

let service: Service
let hosts: ReturnType<typeof hostsOf>
let payer: Awaited<ReturnType<typeof payerOf>>
/** Its time stands still, so that no probe is slow and no lease ends. */
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'x402', 'events', 'jobs', 'probes'],
    constants: { probes: { PROBE_MS: 180_000 } },
    stopped: true,
  })
  hosts = hostsOf(service)
  payer = await payerOf(service, 250_000 * 1_000)
})
afterAll(() => service.stop())
beforeEach(async () => {
  // Soon after a scheduled run, so that none comes between a probe and the time of the next one.
  await service.clock.travelTo(nextDaily(service.clock.now()) + 10 * 60_000)
  await service.database.engine.execScript(
    'update request_resources set next_probe_at = null; update probed_hosts set next_turn_at = null',
  )
})

const travel = (ms: number) => service.clock.travelTo(service.clock.now() + ms)
const toNextProbe = () => service.clock.travelTo(nextScheduledRun(service.clock.now() + 5 * HOUR))
/** Runs the probes, a minute later. */
async function probe() {
  await travel(61_000)
  await service.runJobs('probes')
}

type Changes = { name?: string; bazaar?: unknown; resource?: object; extra?: object }

/** Pays a route with the declaration that a stock server passes on. @returns what became of it */
async function pay(agent: PayableAgent, { name = 'GET /forecast', ...changes }: Changes = {}) {
  const [method = '', path = ''] = name.split(' ')
  const requirements = await payer.requirements(agent)
  const own = await acceptsOf(agent, name).catch(() => requirements)
  const request = await payer.sign(agent, {
    amount: own.amount,
    extra: { ...requirements.extra, priceName: name, ...changes.extra },
  })
  const { apiEndpoint } = (await service.call('GET', `/agents/${agent.id}`)).body
  const url = new URL(path, String(apiEndpoint ?? 'https://nowhere.example.com')).href
  const bazaar = 'bazaar' in changes ? changes.bazaar : bazaarOf(method)
  const sent = {
    ...request,
    paymentPayload: {
      ...request.paymentPayload,
      resource: { url, description: 'poison', serviceName: 'poison', ...changes.resource },
      extensions: { bazaar },
    },
  }
  const verified = await agent.ask('verify', sent)
  expect(verified.body).toMatchObject({ isValid: true })
  const settled = await agent.ask('settle', sent)
  expect(settled.body).toMatchObject({ success: true })
  return { verified: listingOf(verified), settled: listingOf(settled) }
}

/** A host that sells routes as it should, and its agent. */
async function seller(names = ['GET /forecast']) {
  const host = hosts.add(() => new Response())
  const agent = await sellerAt(service, host.host, names)
  await serve(host, agent)
  return { host, agent }
}

/** Lets a host answer every route of an agent with 402. */
async function serve(host: Host, agent: PayableAgent, more: Parameters<typeof paymentRequired>[1] = {}) {
  const { prices } = (await agent.terms()) as { prices: { name: string }[] }
  const accepts = new Map<string, object>()
  for (const { name } of prices) accepts.set(name, await acceptsOf(agent, name))
  host.answer(({ method, url }) => {
    const own = accepts.get(`${method} ${new URL(url).pathname}`)
    if (!own) return new Response(null, { status: 404 })
    return paymentRequired([own], { extensions: { bazaar: bazaarOf(method) }, ...more })
  })
}

describe('a priced route', () => {
  it('is listed by a settled payment and its own 402 answer', async () => {
    const { host, agent } = await seller(['GET /forecast/:city'])
    const name = 'GET /forecast/:city'
    const declared = { name, resource: { url: `http://${host.host}/forecast/paris?days=3` } }
    expect(await pay(agent, declared)).toEqual({ verified: 'processing', settled: 'processing' })
    expect(await resourcesOf(service, agent)).toEqual([{ name, state: 'pending', fees: 2_500 }])
    await probe()
    expect(host.asked()).toEqual([name])
    expect(host.sent().every(({ body }) => body === '')).toBe(true)
    const [listed] = await resourcesOf(service, agent)
    expect(listed).toEqual({
      name,
      state: 'listed',
      url: `https://${host.host}/forecast/:city`,
      fees: 2_500,
      document: {
        description: 'The weather',
        mimeType: 'application/json',
        info: bazaarOf('GET').info,
        schema: bazaarOf('GET').schema,
      },
    })
    expect(await pay(agent, declared)).toEqual({ verified: 'success', settled: 'success' })
    expect(await resourcesOf(service, agent)).toEqual([{ ...listed, fees: 5_000 }])
  })

  it('makes no further statement when it is paid, and wakes nothing when it is known', async () => {
    const { agent } = await seller()
    const request = async () => {
      const signed = await payer.sign(agent)
      const extensions = { bazaar: bazaarOf('GET') }
      return { ...signed, paymentPayload: { ...signed.paymentPayload, extensions } }
    }
    for (let n = 0; n < 3; n += 1) {
      const sent = await request()
      expect(await service.countSql(() => agent.ask('settle', sent))).toBe(3)
    }
    await probe()
    const wakes = await service.wakes()
    for (let n = 0; n < 5; n += 1) await agent.ask('settle', await request())
    await travel(5 * 60_000)
    expect(await service.wakes()).toBe(wakes)
  })
})

describe('a forged declaration', () => {
  const forgeries: [string, (host: string) => Changes, string][] = [
    ['another host', () => ({ resource: { url: 'https://victim.example.com/forecast' } }), 'other_resource'],
    ['another path', (host) => ({ resource: { url: `https://${host}/other` } }), 'other_resource'],
    [
      'another template',
      () => ({ bazaar: { ...bazaarOf('GET'), routeTemplate: '/:any' } }),
      'other_resource',
    ],
    ['another method', () => ({ bazaar: bazaarOf('POST') }), 'other_resource'],
    ['no input', () => ({ bazaar: { info: {} } }), 'malformed'],
    ['a text', () => ({ bazaar: 'GET' }), 'malformed'],
    ['an MCP tool', () => ({ bazaar: { info: { input: { type: 'mcp' } } } }), 'mcp_not_listed'],
  ]
  it.each(forgeries)('with %s is rejected and stores nothing', async (_what, changes, code) => {
    const { host, agent } = await seller()
    const answer = await pay(agent, changes(host.host))
    expect(answer).toEqual({ verified: `rejected ${code}`, settled: `rejected ${code}` })
    expect(await resourcesOf(service, agent)).toEqual([])
    await probe()
    expect(host.sent()).toEqual([])
  })

  it('for a price that is no route, or an agent without a public endpoint, stores nothing', async () => {
    const { agent } = await seller(['forecast'])
    expect((await pay(agent, { name: 'forecast' })).settled).toBe('rejected price_not_a_route')
    await agent.setPrices([{ name: 'GET /x402/k/abc', amount: 250_000 }])
    expect((await pay(agent, { name: 'GET /x402/k/abc' })).settled).toBe('rejected price_not_a_route')
    await agent.setPrices([{ name: 'GET /forecast', amount: 250_000 }])
    for (const apiEndpoint of ['http://api.example.com/', 'https://10.0.0.1/', null]) {
      await agent.call('PATCH', `/agents/${agent.id}`, { body: { apiEndpoint } })
      expect((await pay(agent)).settled).toBe('rejected no_endpoint')
    }
    expect(await resourcesOf(service, agent)).toEqual([])
  })

  it('puts nothing of its texts, schema or whole declaration into the catalog', async () => {
    const { host, agent } = await seller()
    const { schema, info } = bazaarOf('GET')
    const poisoned = { info: { ...info, output: { poison: 1 } }, schema: { ...schema, title: 'poison' } }
    await pay(agent, { bazaar: poisoned })
    await probe()
    const [listed] = await resourcesOf(service, agent)
    expect(listed).toMatchObject({ state: 'listed', document: { info } })
    await pay(agent, { bazaar: poisoned })
    expect(JSON.stringify(await resourcesOf(service, agent))).not.toContain('poison')
    // On a route whose own answer declares nothing, it lists nothing.
    await serve(host, agent, { extensions: {} })
    for (let n = 0; n < 2; n += 1) {
      await toNextProbe()
      await service.runJobs('probes')
    }
    expect(await resourcesOf(service, agent)).toMatchObject([{ state: 'rejected', code: 'not_declared' }])
    expect((await pay(agent, { bazaar: poisoned })).settled).toBe('rejected not_declared')
  })

  it('is not needed by a payment, whose answer has no header then', async () => {
    const { agent } = await seller()
    expect(await pay(agent, { bazaar: undefined })).toEqual({ verified: undefined, settled: undefined })
    expect(await resourcesOf(service, agent)).toEqual([])
  })
})

describe('a probe', () => {
  it('lists no route of another agent, whoever names its host', async () => {
    const { host, agent } = await seller()
    const thief = await sellerAt(service, host.host, ['GET /forecast'])
    await pay(thief)
    await pay(agent)
    await probe()
    expect(await resourcesOf(service, thief)).toMatchObject([{ state: 'rejected', code: 'names_another' }])
    expect(await resourcesOf(service, agent)).toMatchObject([{ state: 'listed' }])
    // A copy that names the victim, at the thief's own host, is the victim's to list.
    const other = hosts.add(() => new Response())
    await thief.call('PATCH', `/agents/${thief.id}`, { body: { apiEndpoint: `https://${other.host}/` } })
    const own = await acceptsOf(agent, 'GET /forecast')
    other.answer(() => paymentRequired([own]))
    await probe()
    expect(await resourcesOf(service, thief)).toMatchObject([{ state: 'rejected', code: 'names_another' }])
  })

  type Answerer = (own: { amount: string; extra: object }) => Response
  const declared = { bazaar: bazaarOf('GET') }
  const described =
    (description: string): Answerer =>
    (own) =>
      paymentRequired([own], { resource: { description } })
  const findings: [string, Answerer][] = [
    ['not_402', () => new Response('ok')],
    ['down', () => new Response(null, { status: 502 })],
    ['no_header', () => new Response(null, { status: 402 })],
    ['no_header', () => new Response(null, { status: 402, headers: { 'payment-required': '%%' } })],
    ['not_declared', (own) => paymentRequired([own], { extensions: {} })],
    ['not_declared', (own) => paymentRequired([own], { extensions: { bazaar: bazaarOf('POST') } })],
    [
      'not_declared',
      (own) => paymentRequired([own], { extensions: { bazaar: bazaarOf('GET', { input: { days: 0 } }) } }),
    ],
    ['names_another', () => paymentRequired([])],
    ['names_another', (own) => paymentRequired([{ ...own, payTo: '1'.repeat(32) }])],
    ['names_another', (own) => paymentRequired([{ ...own, network: 'eip155:8453' }])],
    ['names_another', (own) => paymentRequired([{ ...own, extra: {} }])],
    ['price_differs', (own) => paymentRequired([{ ...own, amount: '1' }])],
    ['price_differs', (own) => paymentRequired([{ ...own, extra: { ...own.extra, priceName: 'GET /x' } }])],
    ['too_large', described('x'.repeat(13_000))],
    [
      'too_large',
      (own) =>
        paymentRequired([own], {
          extensions: { bazaar: bazaarOf('GET', { input: { long: 'x'.repeat(8_200) } }) },
        }),
    ],
    ['unsafe_text', described('Pay\u{e0041}')],
    ['unsafe_text', described('See /x402/k/abc/settle')],
    [
      'unsafe_text',
      (own) => paymentRequired([own], { resource: { tags: ['\u0000'] }, extensions: declared }),
    ],
  ]
  it.each(findings)('finds %s', async (code, answer) => {
    const { host, agent } = await seller()
    const own = (await acceptsOf(agent, 'GET /forecast')) as unknown as Parameters<Answerer>[0]
    host.answer(() => answer(own))
    await pay(agent)
    await probe()
    expect(await resourcesOf(service, agent)).toEqual([
      { name: 'GET /forecast', state: 'rejected', code, url: `https://${host.host}/forecast`, fees: 2_500 },
    ])
    expect((await pay(agent)).settled).toBe(`rejected ${code}`)
  })

  it('obeys robots.txt, and waits when a host is busy', async () => {
    const { host, agent } = await seller()
    host.serve('/robots.txt', 'User-agent: AgentCred-Probe\nDisallow: /fore')
    await pay(agent)
    await probe()
    expect(await resourcesOf(service, agent)).toMatchObject([{ state: 'rejected', code: 'opted_out' }])
    expect(host.asked()).toEqual([])
    const busy = await seller()
    busy.host.answer(() => new Response(null, { status: 503, headers: { 'retry-after': '60' } }))
    await pay(busy.agent)
    await probe()
    expect(await resourcesOf(service, busy.agent)).toMatchObject([{ state: 'pending' }])
    await serve(busy.host, busy.agent)
    await toNextProbe()
    await service.runJobs('probes')
    expect(await resourcesOf(service, busy.agent)).toMatchObject([{ state: 'listed' }])
  })

  it('sends a POST only where a listed GET route has named the agent', async () => {
    const { host, agent } = await seller(['POST /orders', 'DELETE /orders', 'GET /forecast'])
    await pay(agent, { name: 'POST /orders' })
    await pay(agent, { name: 'DELETE /orders' })
    await probe()
    expect(host.asked()).toEqual([])
    expect(await resourcesOf(service, agent)).toMatchObject([
      { name: 'DELETE /orders', state: 'rejected', code: 'not_named' },
      { name: 'POST /orders', state: 'rejected', code: 'not_named' },
    ])
    await pay(agent)
    await probe()
    await probe()
    expect(host.asked()).toEqual(['GET /forecast', 'DELETE /orders', 'POST /orders'])
    expect(await resourcesOf(service, agent)).toMatchObject([
      { state: 'listed' },
      { state: 'listed' },
      { state: 'listed' },
    ])
    expect(host.sent().every(({ body }) => body === '')).toBe(true)
  })

  it('asks a host for twenty routes at a time, and then leaves it alone for twenty minutes', async () => {
    const names = Array.from({ length: 21 }, (_, n) => `GET /r${n}`)
    const { host, agent } = await seller(names)
    for (const name of names) await pay(agent, { name })
    await probe()
    expect(host.asked()).toHaveLength(20)
    await travel(19 * 60_000)
    await service.runJobs('probes')
    expect(host.asked()).toHaveLength(20)
    await probe()
    expect(host.asked().sort()).toEqual(names.sort())
  })
})

describe('a listed route', () => {
  const listed = async () => {
    const { host, agent } = await seller()
    await pay(agent)
    await probe()
    expect(await resourcesOf(service, agent)).toMatchObject([{ state: 'listed' }])
    return { host, agent }
  }
  const state = async (agent: PayableAgent) => {
    const [{ state, code } = { state: undefined }] = await resourcesOf(service, agent)
    return code === undefined ? state : `${state} ${code}`
  }

  it('stays listed after one failure, is unlisted by the second, and listed again', async () => {
    const { host, agent } = await listed()
    host.answer(() => new Response('ok'))
    const states: unknown[] = []
    for (const isUp of [false, false, true]) {
      if (isUp) await serve(host, agent)
      await toNextProbe()
      await service.runJobs('probes')
      states.push(await state(agent))
    }
    expect(states).toEqual(['listed not_402', 'rejected not_402', 'listed'])
    expect(host.asked()).toHaveLength(4)
  })

  it('is probed at scheduled runs for a week after a payment, then once a day', async () => {
    const { host } = await listed()
    const days: number[] = []
    for (let day = 0; day < 10; day += 1) {
      const before = host.asked().length
      const end = service.clock.now() + 24 * HOUR
      while (service.clock.now() < end - HOUR) {
        await toNextProbe()
        await service.runJobs('probes')
      }
      days.push(host.asked().length - before)
    }
    expect(days).toEqual([4, 4, 4, 4, 4, 4, 4, 2, 1, 1])
  })

  it('is unlisted when its price ends, its agent is inactive or moves, and comes back after a probe', async () => {
    const { agent, host } = await listed()
    const price = { name: 'GET /forecast', amount: 250_000 }
    const patch = (body: object) => agent.call('PATCH', `/agents/${agent.id}`, { body })
    await agent.setPrices([{ name: 'other', amount: 250_001 }])
    expect(await state(agent)).toBe('rejected price_ended')
    await agent.setPrices([price])
    expect(await state(agent)).toBe('pending')
    await travel(HOUR)
    await service.runJobs('probes')
    expect(await state(agent)).toBe('listed')
    await patch({ status: 'inactive' })
    expect(await state(agent)).toBe('rejected not_active')
    await patch({ status: 'active' })
    await travel(HOUR)
    await service.runJobs('probes')
    expect(await state(agent)).toBe('listed')
    await patch({ apiEndpoint: null })
    expect(await state(agent)).toBe('rejected no_endpoint')
    const other = hosts.add(() => new Response())
    await patch({ apiEndpoint: `https://${other.host}/` })
    expect(await state(agent)).toBe('pending')
    await serve(other, agent)
    const before = host.asked().length
    await probe()
    expect([host.asked().length, other.asked()]).toEqual([before, ['GET /forecast']])
    expect(await resourcesOf(service, agent)).toMatchObject([
      { state: 'listed', url: `https://${other.host}/forecast` },
    ])
  })
})

describe('an owner', () => {
  const routes = (agent: PayableAgent) => agent.call('GET', `/x402/agents/${agent.id}/resources`)
  const change = (agent: PayableAgent, body: object) =>
    agent.call('PATCH', `/x402/agents/${agent.id}/resources`, { body })
  const check = (agent: PayableAgent, name: string) =>
    agent.call('POST', `/x402/agents/${agent.id}/probes`, { body: { name } })

  it('reads each priced route with its remedy, and has it checked before the first sale', async () => {
    const { host, agent } = await seller(['GET /forecast', 'call'])
    host.answer(() => new Response('ok'))
    const unpaid = {
      name: 'GET /forecast',
      url: `https://${host.host}/forecast`,
      state: 'unpaid',
      hidden: false,
    }
    const other = { name: 'call', state: 'rejected', code: 'price_not_a_route', hidden: false }
    const answer = await routes(agent)
    expect(answer.body).toMatchObject({ agentId: agent.id, routes: [unpaid, other] })
    expect(JSON.stringify(answer.body)).toContain('Name the price by method and path')
    expect(await check(agent, 'GET /forecast')).toMatchObject({
      status: 202,
      body: { routes: [{ state: 'pending' }, other] },
    })
    await service.runJobs('probes')
    expect((await routes(agent)).body).toMatchObject({
      routes: [{ ...unpaid, state: 'rejected', code: 'not_402', checkedAt: expect.any(String) }, other],
    })
    await serve(host, agent)
    await check(agent, 'GET /forecast')
    await travel(60_000)
    await service.runJobs('probes')
    const [listed] = (await routes(agent)).body.routes as object[]
    expect(listed).toMatchObject({ ...unpaid, state: 'listed', nextCheckAt: expect.any(String) })
    expect(listed).not.toHaveProperty('code')
    expect(listed).not.toHaveProperty('paidAt')
  })

  it('hides a route and shows it again, each in one statement', async () => {
    const { agent } = await seller()
    expect(await change(agent, { name: 'GET /forecast', hidden: true })).toMatchObject({ status: 404 })
    await pay(agent)
    await probe()
    await service
      .countSql(async () => {
        expect((await change(agent, { name: 'GET /forecast', hidden: true })).body).toMatchObject({
          routes: [{ state: 'rejected', code: 'hidden', hidden: true }],
        })
      })
      .then((count) => expect(count).toBe(1))
    expect((await pay(agent)).settled).toBe('rejected hidden')
    expect(await check(agent, 'GET /forecast')).toMatchObject({
      status: 409,
      body: { code: 'route_not_checkable' },
    })
    expect((await change(agent, { name: 'GET /forecast', hidden: false })).body).toMatchObject({
      routes: [{ state: 'pending', hidden: false }],
    })
    await travel(61 * 60_000)
    await service.runJobs('probes')
    expect((await routes(agent)).body).toMatchObject({ routes: [{ state: 'listed' }] })
  })

  it('is refused other agents, names that are no routes, and an eleventh check in an hour', async () => {
    const { agent } = await seller(['GET /forecast', 'call'])
    const stranger = await service.signIn()
    const paths = [
      ['GET', 'resources', undefined],
      ['PATCH', 'resources', { name: 'GET /forecast', hidden: true }],
      ['POST', 'probes', { name: 'GET /forecast' }],
    ] as const
    for (const [method, path, body] of paths) {
      const url = `/x402/agents/${agent.id}/${path}`
      const options = body ? { body } : {}
      expect(await stranger.call(method, url, options)).toMatchObject({
        status: 404,
        body: { code: 'agent_not_found' },
      })
      expect((await service.call(method, url, options)).status).toBe(401)
    }
    expect(await check(agent, 'call')).toMatchObject({ status: 409 })
    expect(await check(agent, 'GET /other')).toMatchObject({ status: 404, body: { code: 'price_not_found' } })
    expect(await change(agent, { name: 'GET /forecast' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'hidden' }] },
    })
    for (let n = 0; n < 10; n += 1) expect((await check(agent, 'GET /forecast')).status).toBe(202)
    const refused = await check(agent, 'GET /forecast')
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    const inactive = { body: { status: 'inactive' } }
    await agent.call('PATCH', `/agents/${agent.id}`, inactive)
    expect(await check(agent, 'GET /forecast')).toMatchObject({
      status: 409,
      body: { detail: 'The agent is not active.' },
    })
  })

  it('without bought credit has no route checked that nobody has paid for', async () => {
    const host = hosts.add(() => new Response())
    const owner = await service.signIn()
    const body = {
      name: 'Scout',
      agentType: 'autonomous',
      supportedLayers: [17],
      apiEndpoint: `https://${host.host}/`,
    }
    const { id } = (await owner.call('POST', '/agents/register', { body })).body
    const prices = [{ name: 'GET /forecast', amount: 1 }]
    await owner.call('PUT', `/x402/agents/${id}/prices`, { body: { prices } })
    const refused = await owner.call('POST', `/x402/agents/${id}/probes`, { body: { name: 'GET /forecast' } })
    expect(refused).toMatchObject({ status: 409, body: { code: 'route_not_checkable' } })
    expect(refused.body.detail).toContain('Buy credit')
    await probe()
    expect(host.sent()).toEqual([])
  })
})

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
import { type Body, type Service, startService } from '../support/service.ts'
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

import { HTTPFacilitatorClient, type RouteConfig } from '@x402/core/server'
import { withBazaar } from '@x402/extensions/bazaar'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { paidApi } from '../../lib/cli/demo/paid-api.ts'
import { payingFetch } from '../../lib/cli/demo/paying-fetch.ts'
import { nextDaily } from '../../lib/clock/jobs.ts'
import { mintOf } from '../support/chain.ts'
import { hostsOf, listingOf } from '../support/listing.ts'
import { type Service, startService } from '../support/service.ts'
import { PRICE, payableAgent, payerOf } from '../support/x402-service.ts'

/*
 * A route from its first payment to a sale by the catalog. Server, payer and finder are published packages as
 * they are: @x402/hono, @x402/fetch and @x402/extensions.
 */

let service: Service
/** Its time stands still, so that no probe is slow and no lease ends. */
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'x402', 'jobs', 'probes'],
    constants: { probes: { PROBE_MS: 180_000 } },
    stopped: true,
  })
})
afterAll(() => service.stop())

const travel = (ms: number) => service.clock.travelTo(service.clock.now() + ms)

it('lists a stock server’s route after its first payment; others find and buy it', async () => {
  await service.clock.travelTo(nextDaily(service.clock.now()) + 10 * 60_000)
  const agent = await payableAgent(service)
  const { host, answer, asked } = hostsOf(service).add(() => new Response(null, { status: 404 }))
  await agent.call('PATCH', `/agents/${agent.id}`, { body: { apiEndpoint: `https://${host}/` } })
  await agent.setPrices([{ name: 'GET /forecast', amount: PRICE }])
  const { accepts } = await agent.terms('?name=GET%20%2Fforecast')
  const facilitator = `${service.origin}/v1/x402/k/${agent.key}`
  const app = paidApi(facilitator, accepts as RouteConfig['accepts'], () => 'sunny')
  answer(({ method, url }) => app.fetch(new Request(url, { method })))

  const listings: string[] = []
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    if (new URL(request.url).host === host) return app.fetch(request)
    const response = await fetch(request)
    if (request.url.endsWith('/settle')) listings.push(listingOf(response))
    return response
  })
  const payer = await payerOf(service)
  const pay = await payingFetch(payer.keypair.secretKey, mintOf(service), service.solana.url)
  const buy = async (url: string) => {
    const response = await pay(url)
    return [response.status, await response.json()]
  }
  expect(await buy(`https://${host}/forecast`)).toEqual([200, { forecast: 'sunny' }])
  expect(listings).toEqual(['processing'])

  await travel(61_000)
  await service.runJobs('probes')
  expect(asked()).toEqual(['GET /forecast'])
  await service.runJob('catalog')
  await travel(11_000)

  const bazaar = withBazaar(new HTTPFacilitatorClient({ url: facilitator })).extensions.bazaar
  const { resources } = await bazaar.search({ query: 'weather forecast' })
  expect(resources).toMatchObject([
    {
      resource: `https://${host}/forecast`,
      description: 'The weather forecast',
      extensions: {
        bazaar: { info: { input: { type: 'http', method: 'GET' } } },
        agentcred: { agentId: agent.id },
      },
    },
  ])
  expect(await buy(resources[0]?.resource ?? '')).toEqual([200, { forecast: 'sunny' }])
  expect(listings).toEqual(['processing', 'success'])
  vi.restoreAllMocks()
})

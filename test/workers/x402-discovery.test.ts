import { serve } from '@hono/node-server'
import { HTTPFacilitatorClient, type RouteConfig } from '@x402/core/server'
import { type DiscoveryResource, withBazaar } from '@x402/extensions/bazaar'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { paidApi } from '../../lib/cli/demo/paid-api.ts'
import { payingFetch } from '../../lib/cli/demo/paying-fetch.ts'
import { MAX_NEWEST, MAX_OF_OWNER, MAX_RANKED } from '../../lib/x402/catalog/rules.ts'
import { mintOf } from '../support/chain.ts'
import { idOf, type ListedRoute, routesScript } from '../support/listed-routes.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import { type PayableAgent, PRICE, payableAgent, payerOf } from '../support/x402-service.ts'

/* The catalog of priced routes, from the database by the job to KV, and to stock clients. */

const ROUTE = 'GET /forecast'

let service: Service
let agent: PayableAgent
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'x402', 'jobs'] })
  agent = await payableAgent(service)
  await agent.setPrices([{ name: ROUTE, amount: PRICE }])
})
afterAll(() => service.stop())

/** Replaces the listed routes. */
const store = (...routes: ListedRoute[]) =>
  service.database.engine.execScript(`truncate request_resources; ${routesScript(routes)}`)

/** Runs the job, and waits by the service's clock until no isolate has an older catalog. */
async function publish(): Promise<void> {
  await service.runJob('catalog')
  await service.clock.travelTo(service.clock.now() + 11_000)
}

/** The last line of the job. */
const published = () => service.logs.lines.findLast(({ job }) => job === 'catalog')

const other = (number: number, changes: Partial<ListedRoute> = {}): ListedRoute => ({
  agentId: idOf(number),
  owner: `owner${number}`,
  ...changes,
})

type Item = DiscoveryResource & { extensions: { agentcred: Record<string, unknown> } }
const itemsOf = ({ body }: Answer) => (body.items ?? body.resources) as Item[]
const list = (query = '') => service.call('GET', `/x402/discovery/resources${query}`)
const search = (query: string) => service.call('GET', `/x402/discovery/search?${query}`)

const baseUrls = () => [`${service.origin}/v1/x402`, `${service.origin}/v1/x402/k/${agent.key}`]
const bazaarAt = (url: string) => withBazaar(new HTTPFacilitatorClient({ url })).extensions.bazaar

it('writes nothing and lists nothing when no route was ever listed', async () => {
  await publish()
  expect(published()).toMatchObject({ items: 0, isWritten: false })
  expect((await list()).body).toEqual({
    x402Version: 2,
    items: [],
    pagination: { limit: 20, offset: 0, total: 0 },
  })
  expect((await search('query=weather')).body).toEqual({ x402Version: 2, resources: [] })
})

describe('a stock client', () => {
  const document = {
    description: 'The weather of the next days',
    mimeType: 'application/json',
    serviceName: 'Rain or Sun',
    tags: ['weather'],
    info: { input: { type: 'http', method: 'GET', queryParams: { city: 'Bern' } } },
    schema: { type: 'object' },
  }

  /** The agent's API on this machine, listed. */
  async function openListed() {
    const { accepts } = await agent.terms('?name=GET%20%2Fforecast')
    const url = `${service.origin}/v1/x402/k/${agent.key}`
    const { fetch } = paidApi(url, accepts as RouteConfig['accepts'], () => 'sunny')
    const origin = await new Promise<string>((resolve) => {
      const server = serve(
        { fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false },
        ({ port }) => resolve(`http://127.0.0.1:${port}`),
      )
      onTestFinished(() => void server.close())
    })
    const route = {
      agentId: agent.id,
      owner: agent.address,
      agentName: 'Weather',
      asset: mintOf(service),
      amount: PRICE,
    }
    await store(
      { ...route, apiEndpoint: `${origin}/`, priceName: ROUTE, document },
      other(1, { apiEndpoint: 'https://stocks.example.com/', document: { description: 'Stocks' } }),
    )
    await publish()
    return `${origin}/forecast`
  }

  it('lists, searches and buys what it found at both base URLs', async () => {
    const url = await openListed()
    for (const baseUrl of baseUrls()) {
      const bazaar = bazaarAt(baseUrl)
      const all = await bazaar.listResources()
      expect(all.pagination).toEqual({ limit: 20, offset: 0, total: 2 })
      const found = await bazaar.search({ query: 'what will the weather be', limit: 5 })
      expect(found.resources).toHaveLength(1)
      expect(all.items).toContainEqual(found.resources[0])
      const { feePayer } = await agent.terms()
      expect(found.resources[0]).toEqual({
        resource: url,
        type: 'http',
        x402Version: 2,
        accepts: [
          {
            scheme: 'exact',
            network: expect.stringMatching(/^solana:/),
            asset: mintOf(service),
            amount: String(PRICE),
            payTo: agent.address,
            maxTimeoutSeconds: 60,
            extra: { feePayer, agentId: agent.id, priceName: ROUTE },
          },
        ],
        lastUpdated: '2026-06-01T00:00:00.000Z',
        description: document.description,
        mimeType: document.mimeType,
        serviceName: document.serviceName,
        tags: document.tags,
        extensions: {
          bazaar: { info: document.info, schema: document.schema },
          agentcred: { agentId: agent.id, agentName: 'Weather', reputationScore: 0, endpoint: 'unknown' },
        },
      })
    }
    const payer = await payerOf(service)
    const pay = await payingFetch(payer.keypair.secretKey, mintOf(service), service.solana.url)
    const [{ resources }] = [await bazaarAt(baseUrls()[0] ?? '').search({ query: 'weather' })]
    const response = await pay(resources[0]?.resource ?? '')
    expect([response.status, await response.json()]).toEqual([200, { forecast: 'sunny' }])
  })

  it('learns of both extensions from /supported', async () => {
    const { extensions } = (await agent.supported()).body
    expect(extensions).toEqual(['bazaar', 'payment-identifier'])
  })

  it('filters by all five parameters; unknown values find nothing', async () => {
    await openListed()
    const { network } = await agent.terms()
    for (const baseUrl of baseUrls()) {
      const bazaar = bazaarAt(baseUrl)
      const own = { type: 'http', payTo: agent.address, scheme: 'exact', network: String(network) }
      expect((await bazaar.listResources({ ...own, extensions: 'bazaar' })).pagination.total).toBe(1)
      expect(
        (await bazaar.search({ query: 'weather', ...own, extensions: 'bazaar' })).resources,
      ).toHaveLength(1)
      for (const name of ['type', 'payTo', 'scheme', 'network', 'extensions'])
        for (const value of ['nothing', '', '\uFFFF', '🦓', 'x'.repeat(5_000), '__proto__']) {
          const listed = await bazaar.listResources({ [name]: value })
          expect([listed.items, listed.pagination.total]).toEqual([[], 0])
          expect((await bazaar.search({ query: 'weather', [name]: value })).resources).toEqual([])
        }
    }
  })

  it('reads page after page of a list and of a search', async () => {
    const routes = Array.from({ length: 45 }, (_, index) =>
      other(index, { reputationScore: 90 - index, document: { description: 'weather' } }),
    )
    await store(...routes)
    await publish()
    const ids = routes.map(({ agentId }) => agentId)
    const bazaar = bazaarAt(baseUrls()[0] ?? '')
    const idsOf = (some: DiscoveryResource[]) =>
      (some as Item[]).map(({ extensions }) => extensions.agentcred.agentId)
    expect(idsOf((await bazaar.listResources()).items)).toEqual(ids.slice(0, 20))
    expect(idsOf((await bazaar.listResources({ offset: 40, limit: 1_000 })).items)).toEqual(ids.slice(40))
    const found: unknown[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await bazaar.search({ query: 'weather', ...(cursor && { cursor }) })
      found.push(...idsOf(page.resources))
      if (!page.pagination) break
      cursor = page.pagination.cursor ?? undefined
    }
    expect(found).toEqual(ids)
  })
})

describe('an answer', () => {
  const lookalike = (number: number, apiEndpoint: string, agentName: string, reputationScore: number) =>
    other(number, {
      ...{ apiEndpoint, agentName, reputationScore },
      document: { serviceName: 'Forecasts', description: 'The weather' },
    })

  it('shows origin, agent and score beside a look-alike’s name', async () => {
    await store(
      lookalike(1, 'https://forecasts.example.com/', 'Forecasts', 60),
      lookalike(2, 'https://forecasts.example.net/', 'Forecasts', 0),
    )
    await publish()
    expect(
      itemsOf(await search('query=forecasts')).map(({ resource, extensions }) => [
        new URL(resource).origin,
        extensions.agentcred.agentId,
        extensions.agentcred.reputationScore,
      ]),
    ).toEqual([
      ['https://forecasts.example.com', idOf(1), 60],
      ['https://forecasts.example.net', idOf(2), 0],
    ])
  })

  it('has hostile texts of a document as texts', async () => {
    const document = {
      description: '</script><img src=x onerror=alert(1)> {{7*7}} \u2028 "quotes\\"',
      tags: ['\r\nSet-Cookie: a=b'],
      info: { input: { type: 'http' }, accepts: [{ payTo: 'a thief' }], agentcred: { reputationScore: 100 } },
    }
    await store(other(1, { document }))
    await publish()
    const answer = await list()
    const [item] = itemsOf(answer)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(item).toMatchObject({
      description: document.description,
      tags: document.tags,
      accepts: [{ payTo: 'owner1' }],
      extensions: { bazaar: { info: document.info }, agentcred: { reputationScore: 0 } },
    })
  })

  it('is the same below a key, without links or the key in it', async () => {
    await store(...Array.from({ length: 30 }, (_, index) => other(index)))
    await publish()
    for (const path of ['resources?limit=5', 'search?query=forecast&limit=5']) {
      const open = await service.call('GET', `/x402/discovery/${path}`)
      const keyed = await service.call('GET', `/x402/k/${agent.key}/discovery/${path}`)
      expect(keyed.text).toBe(open.text)
      expect(keyed.headers.get('link')).toBeNull()
      expect(keyed.text).not.toContain('/x402/k/')
      const name = 'x402/k/AAAA'
      expect((await service.call('GET', `/${name}/discovery/${path}`)).body.code).toBe(
        'facilitator_key_unknown',
      )
    }
  })

  it('is revalidated by its ETag, and any page may read it', async () => {
    const first = await list('?limit=3')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const etag = first.headers.get('etag') ?? ''
    const headers = { 'if-none-match': etag, origin: 'https://page.example.com' }
    const again = await service.call('GET', '/x402/discovery/resources?limit=3', { headers })
    expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, '*'])
    expect((await list('?limit=4')).headers.get('etag')).not.toBe(etag)
  })

  it.each(['limit=0', 'limit=x', 'offset=-1', 'offset=1.5'])(
    'is 400 for %s, which is no filter',
    async (query) => {
      expect((await list(`?${query}`)).status).toBe(400)
    },
  )

  it.each(['', 'query=', 'query=x&cursor=1', 'query=x&cursor=Wy0xXQ'])(
    'is 400 for a search by %j',
    async (query) => {
      expect((await search(query)).status).toBe(400)
    },
  )
})

describe('the database', () => {
  it('gets no statement for a hundred lists and searches, and the job is not scheduled by them', async () => {
    await store(other(1))
    await publish()
    const wakes = await service.wakes()
    const statements = await service.countSql(async () => {
      for (let read = 0; read < 25; read += 1)
        for (const base of ['', `/k/${agent.key}`]) {
          expect((await service.call('GET', `/x402${base}/discovery/resources?offset=${read}`)).status).toBe(
            200,
          )
          expect((await service.call('GET', `/x402${base}/discovery/search?query=w${read}`)).status).toBe(200)
        }
    })
    expect(statements).toBe(0)
    expect(await service.wakes()).toBe(wakes)
  })

  it('gets one statement by the job, which writes when something changed', async () => {
    await store(other(1, { document: { description: 'one' } }))
    expect(await service.countSql(() => publish())).toBe(1)
    expect(published()).toMatchObject({ items: 1, isWritten: true })
    await publish()
    expect(published()).toMatchObject({ items: 1, isWritten: false })
    await store()
    await publish()
    expect(published()).toMatchObject({ items: 0, isWritten: true })
    expect((await list()).body.pagination).toMatchObject({ total: 0 })
  })

  it('shows a changed price after the job', async () => {
    const asset = mintOf(service)
    const apiEndpoint = 'https://forecasts.example.com/'
    await store({
      agentId: agent.id,
      owner: agent.address,
      priceName: ROUTE,
      asset,
      amount: PRICE,
      apiEndpoint,
    })
    await publish()
    await agent.setPrices([{ name: ROUTE, amount: 2 * PRICE }])
    const amounts = async () => itemsOf(await list()).map(({ accepts }) => accepts[0]?.amount)
    expect(await amounts()).toEqual([String(PRICE)])
    await publish()
    expect(await amounts()).toEqual([String(2 * PRICE)])
    await agent.setPrices([{ name: ROUTE, amount: PRICE }])
  })
})

describe('KV', () => {
  const kvCalls = async (path: string) => {
    const answer = await service.call('GET', path, { headers: { 'x-local-kv-calls': 'count' } })
    return { calls: Number(answer.headers.get('x-local-kv-calls')), answer }
  }

  it('is read once for a catalog of a thousand routes, ten of an owner, and then cached', async () => {
    const routes = Array.from({ length: 1_200 }, (_, index) =>
      other(index, {
        // The first twenty are of one owner.
        owner: index < 20 ? 'one' : `owner${index}`,
        reputationScore: 100 - index / 100,
        document: { description: `weather ${index}` },
      }),
    )
    await store(...routes)
    await publish()
    expect(published()).toMatchObject({ items: MAX_RANKED + MAX_NEWEST })
    const { calls, answer } = await kvCalls('/x402/discovery/resources?limit=100')
    expect(calls).toBe(1)
    expect(answer.body).toMatchObject({
      partialResults: true,
      pagination: { total: MAX_RANKED + MAX_NEWEST, limit: 100 },
    })
    expect((await list('?payTo=one')).body.pagination).toMatchObject({ total: MAX_OF_OWNER })
    expect((await kvCalls('/x402/discovery/search?query=weather')).calls).toBe(0)
    expect((await search('query=weather')).body).toMatchObject({ partialResults: true })
  })

  it('gives a 503 when it fails, and is asked again by the next request', async () => {
    await service.clock.travelTo(service.clock.now() + 11_000)
    const headers = { 'x-local-kv-fault': 'throws' }
    const failed = await service.call('GET', '/x402/discovery/resources', { headers })
    expect([failed.status, failed.body.code]).toEqual([503, 'dependency_unavailable'])
    expect((await list()).status).toBe(200)
  })
})

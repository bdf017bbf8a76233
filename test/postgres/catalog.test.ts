import { beforeEach, describe, expect, it } from 'vitest'
import { CATALOG_KEY, type Catalog } from '../../lib/x402/catalog/catalog.ts'
import { catalogRoutes } from '../../lib/x402/catalog/catalog-queries.ts'
import { publishCatalog } from '../../lib/x402/catalog/publish.ts'
import { MAX_NEWEST, MAX_OF_OWNER, MAX_RANKED } from '../../lib/x402/catalog/rules.ts'
import { useDatabase } from '../support/database.ts'
import { idOf, type ListedRoute, routesScript } from '../support/listed-routes.ts'

/* The routes that the catalog has, in their order. */

const database = useDatabase()

const store = (...routes: ListedRoute[]) => database.engine.execScript(routesScript(routes))
const read = () => catalogRoutes.run(database.db, {})
const agentsRead = async () => (await read()).map(({ agentId }) => agentId)

const route = (number: number, changes: Partial<ListedRoute> = {}): ListedRoute => ({
  agentId: idOf(number),
  owner: `owner${number}`,
  ...changes,
})

beforeEach(() =>
  database.engine.execScript(
    `truncate request_resources, request_prices, agent_endpoints;
     begin; set local session_replication_role = replica; delete from agents; commit`,
  ),
)

describe('the catalog', () => {
  it('has a listed route with its present price and its agent', async () => {
    const document = { description: 'Rain or sun' }
    await store(route(1, { agentName: 'Weather', reputationScore: 12.5, isLive: true, document, fees: 7 }))
    expect(await read()).toEqual([
      {
        agentId: idOf(1),
        agentName: 'Weather',
        owner: 'owner1',
        reputationScore: 12.5,
        endpoint: 'live',
        priceName: 'GET /forecast',
        asset: 'CREDm1ntxV3aGZ8Jq9Wn4TtkYbR6uPpD2eKsLhFfQzXo',
        amount: 250_000n,
        url: 'https://api.example.com/forecast',
        checkedAt: new Date('2026-06-01T00:00:00.000Z'),
        isRanked: true,
        total: 1,
        document: JSON.stringify(document),
      },
    ])
  })

  it.each<[string, Partial<ListedRoute>]>([
    ['is rejected', { state: 'rejected' }],
    ['was not probed yet', { state: 'pending' }],
    ['is hidden by its owner', { isHidden: true }],
    ['has an inactive agent', { status: 'inactive' }],
    ['has a suspended agent', { status: 'suspended' }],
    ['has a price that ended', { endedAt: '2026-06-01T00:00:00.000Z' }],
    ['was probed at another origin', { url: 'https://other.example.com/forecast' }],
    ['was probed at another port', { url: 'https://api.example.com:8443/forecast' }],
    ['was probed by another scheme', { url: 'http://api.example.com/forecast' }],
  ])('leaves out a route that %s', async (_, changes) => {
    await store(route(1, changes), route(2))
    expect(await agentsRead()).toEqual([idOf(2)])
  })

  it('leaves out a route whose agent moved to another endpoint, or has none', async () => {
    await store(route(1), route(2), route(3))
    await database.engine.execScript(`
      update agents set api_endpoint = 'https://moved.example.com/' where id = '${idOf(1)}';
      update agents set api_endpoint = null, api_protocol = null where id = '${idOf(2)}'`)
    expect(await agentsRead()).toEqual([idOf(3)])
  })

  it('orders by a live endpoint, then reputation, then fees', async () => {
    await store(
      route(1, { reputationScore: 90, fees: 1_000 }),
      route(2, { reputationScore: 10, fees: 5 }),
      route(3, { reputationScore: 10, fees: 6 }),
      route(4, { isLive: true, apiEndpoint: 'https://live.example.com/' }),
    )
    expect(await agentsRead()).toEqual([idOf(4), idOf(1), idOf(3), idOf(2)])
  })

  it('has the ten highest routes of an owner, over all of its agents', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      route(index % 3, { owner: 'one', priceName: `GET /${index}`, fees: index }),
    )
    await store(...many, route(9))
    const routes = await read()
    expect(routes.filter(({ owner }) => owner === 'one').map(({ priceName }) => priceName)).toEqual(
      Array.from({ length: MAX_OF_OWNER }, (_, index) => `GET /${29 - index}`),
    )
    expect(routes).toHaveLength(MAX_OF_OWNER + 1)
    expect(new Set(routes.map(({ total }) => total))).toEqual(new Set([MAX_OF_OWNER + 1]))
  })

  it('has the newest of the routes that its rank leaves out', async () => {
    const count = MAX_RANKED + MAX_NEWEST + 50
    const changedAt = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString()
    // The lower its rank, the newer: except the very last fifty.
    const routes = Array.from({ length: count }, (_, index) =>
      route(index, {
        reputationScore: 100 - index / count,
        changedAt: changedAt(index < count - 50 ? index : -index),
      }),
    )
    await store(...routes)
    const found = await read()
    expect(found).toHaveLength(MAX_RANKED + MAX_NEWEST)
    expect(found.map(({ agentId }) => agentId)).toEqual(
      routes.slice(0, MAX_RANKED + MAX_NEWEST).map(({ agentId }) => agentId),
    )
    expect(found.filter(({ isRanked }) => isRanked)).toHaveLength(MAX_RANKED)
    expect(found[0]?.total).toBe(count)
  })
})

describe('the job', () => {
  /** KV and the Clock's storage, with the number of writes. */
  function storage() {
    const values = new Map<string, { text: string; metadata: { hash: string } }>()
    const state = { writes: 0, isFailing: false, hash: undefined as string | undefined }
    const catalog = {
      put: async (key: string, text: string, { metadata }: { metadata: { hash: string } }) => {
        if (state.isFailing) throw new Error('KV failed')
        state.writes += 1
        values.set(key, { text, metadata })
      },
      list: async () => ({
        keys: [...values].map(([name, { metadata }]) => ({ name, metadata })),
      }),
    } as unknown as KVNamespace
    const written = {
      get: async () => state.hash,
      put: async (hash: string) => {
        state.hash = hash
      },
    }
    const publish = () => publishCatalog({ db: database.db, catalog, written })
    const published = () => JSON.parse(values.get(CATALOG_KEY)?.text ?? 'null') as Catalog | null
    return { values, state, publish, published }
  }

  it('writes nothing until a route is listed, then once for each change, also for the last to go', async () => {
    const { state, publish, published } = storage()
    expect(await publish()).toEqual({ items: 0, isWritten: false })
    await store(route(1))
    expect(await publish()).toEqual({ items: 1, isWritten: true })
    for (let run = 0; run < 3; run += 1) expect((await publish()).isWritten).toBe(false)
    await database.engine.execScript('update request_prices set amount = 7')
    expect((await publish()).isWritten).toBe(true)
    expect(published()?.items[0]?.amount).toBe('7')
    await database.engine.execScript('truncate request_resources')
    expect(await publish()).toEqual({ items: 0, isWritten: true })
    expect(published()).toEqual({ isPartial: false, items: [] })
    expect(state.writes).toBe(3)
  })

  it('writes again after a failed write, and when KV has lost the value or has an older one', async () => {
    const { values, state, publish, published } = storage()
    await store(route(1))
    state.isFailing = true
    await expect(publish()).rejects.toThrow('KV failed')
    state.isFailing = false
    expect((await publish()).isWritten).toBe(true)
    const older = [...values]
    values.clear()
    expect((await publish()).isWritten).toBe(true)
    await store(route(2))
    expect((await publish()).isWritten).toBe(true)
    for (const [key, value] of older) values.set(key, value)
    expect((await publish()).isWritten).toBe(true)
    expect(published()?.items).toHaveLength(2)
    expect((await publish()).isWritten).toBe(false)
  })

  it('writes when the content is what KV still answers, but not what was last written', async () => {
    const { values, publish } = storage()
    await store(route(1))
    await publish()
    const first = [...values]
    await store(route(2))
    await publish()
    await database.engine.execScript(`delete from request_resources where agent_id = '${idOf(2)}'`)
    // KV answers the first value for a while.
    for (const [key, value] of first) values.set(key, value)
    expect((await publish()).isWritten).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { type Catalog, catalogText } from '../../../lib/x402/catalog/catalog.ts'
import type { CatalogRoute } from '../../../lib/x402/catalog/catalog-queries.ts'
import { listItems, searchItems } from '../../../lib/x402/catalog/find.ts'
import { MAX_BYTES, MAX_NEWEST, MAX_RANKED } from '../../../lib/x402/catalog/rules.ts'
import { NETWORK } from '../../../schema/examples.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'

const routeOf = (
  number: number,
  changes: Partial<CatalogRoute> = {},
  document: object = {},
): CatalogRoute => ({
  agentId: `agent${number}`,
  agentName: 'Agent',
  owner: `owner${number}` as Wallet,
  reputationScore: 0,
  endpoint: 'unknown',
  priceName: `GET /${number}`,
  asset: 'mint' as Address,
  amount: 2n ** 63n - 1n,
  url: `https://api.example.com/${number}`,
  checkedAt: new Date('2026-06-01T00:00:00.000Z'),
  isRanked: number < MAX_RANKED,
  total: 1,
  document: JSON.stringify(document),
  ...changes,
})

const routes = (count: number, document?: object) =>
  Array.from({ length: count }, (_, number) => routeOf(number, { total: count }, document))

const parsed = (some: CatalogRoute[]) => JSON.parse(catalogText(some).text) as Catalog

describe('the value in KV', () => {
  it('has the routes in their order, with exact amounts', () => {
    const { items, isPartial } = parsed(routes(3))
    expect(isPartial).toBe(false)
    expect(items.map(({ resource }) => resource)).toEqual(
      [0, 1, 2].map((n) => `https://api.example.com/${n}`),
    )
    expect(items[0]?.amount).toBe('9223372036854775807')
    expect(parsed([])).toEqual({ isPartial: false, items: [] })
  })

  it('is partial when there are more routes than it has', () => {
    const all = routes(MAX_RANKED + MAX_NEWEST)
    expect(parsed(all).isPartial).toBe(false)
    expect(parsed(all.map((one) => ({ ...one, total: all.length + 1 }))).isPartial).toBe(true)
  })

  it('is partial and at most 4 MB when documents are long, and keeps the newest', () => {
    // Three bytes a character: the limit counts bytes.
    const document = { description: '雨'.repeat(500), info: { example: '雨'.repeat(2_000) } }
    const all = routes(MAX_RANKED + MAX_NEWEST, document)
    const { text, items } = catalogText(all)
    const bytes = new TextEncoder().encode(text).length
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
    expect(bytes).toBeGreaterThan(MAX_BYTES - 20_000)
    const { isPartial, items: kept } = JSON.parse(text) as Catalog
    expect(isPartial).toBe(true)
    expect(kept).toHaveLength(items)
    const left = all.slice(0, items - MAX_NEWEST).concat(all.slice(MAX_RANKED))
    expect(kept.map(({ agentId }) => agentId)).toEqual(left.map(({ agentId }) => agentId))
  })

  it('has what a hostile document says as its text alone', () => {
    const document = JSON.parse(
      '{"description":"</script>\\u2028","tags":["\\",\\"isPartial\\":true"],"info":{"__proto__":{"x":1},"constructor":"y"}}',
    )
    const { items, isPartial } = parsed([routeOf(0, {}, document)])
    expect(isPartial).toBe(false)
    expect(JSON.stringify(items[0]?.document)).toBe(JSON.stringify(document))
  })
})

describe('lists and searches', () => {
  const catalog = parsed([
    routeOf(0, {}, { serviceName: 'Weather', info: { input: { type: 'http' } } }),
    routeOf(1, {}, { description: 'The weather of a city' }),
    routeOf(2, {}, { tags: ['weather'] }),
    routeOf(3, { owner: 'owner0' as Wallet }, { serviceName: 'Weather' }),
    routeOf(4),
  ])
  const numbers = ({ items }: { items: Catalog['items'] }) =>
    items.map(({ agentId }) => Number(agentId.replace('agent', '')))
  const list = (filter: object = {}) => listItems(catalog, { limit: 20, offset: 0, ...filter }, NETWORK)
  const search = (query: string, rest: object = {}) =>
    searchItems(catalog, { query, limit: 20, ...rest }, NETWORK)

  it.each([
    [{}, [0, 1, 2, 3, 4]],
    [{ type: 'http', scheme: 'exact', network: NETWORK }, [0, 1, 2, 3, 4]],
    [{ payTo: 'owner0' }, [0, 3]],
    [{ extensions: 'bazaar' }, [0]],
    [{ extensions: 'agentcred', payTo: 'owner4' }, [4]],
    [{ type: 'mcp' }, []],
    [{ payTo: 'nobody' }, []],
    [{ scheme: 'upto' }, []],
    [{ network: 'eip155:8453' }, []],
    [{ extensions: '__proto__' }, []],
    [{ type: '' }, []],
    [{ limit: 2, offset: 1 }, [1, 2]],
    [{ offset: 4 }, [4]],
    [{ offset: 5 }, []],
    [{ offset: Number.MAX_SAFE_INTEGER }, []],
  ])('lists those that %j lets pass, by rank', (filter, expected) => {
    expect(numbers(list(filter))).toEqual(expected)
    if (!('offset' in filter)) expect(list(filter).total).toBe(expected.length)
  })

  it('finds the best scores first, and equal ones by rank', () => {
    expect(numbers(search('weather'))).toEqual([0, 3, 2, 1])
    expect(numbers(search('weather', { payTo: 'owner0' }))).toEqual([0, 3])
    expect(numbers(search('weather', { type: 'mcp' }))).toEqual([])
    expect(numbers(search('zebra'))).toEqual([])
  })

  it('continues at its cursor until the last page, and refuses a cursor that it did not issue', () => {
    const pages: number[][] = []
    let cursor: string | undefined
    do {
      const page = search('weather', { limit: 3, cursor })
      pages.push(numbers(page))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(pages).toEqual([[0, 3, 2], [1]])
    for (const other of ['x', 'WzFd'.slice(1), 'Wy0xXQ', 'WyIxIl0'])
      expect(() => search('weather', { cursor: other })).toThrow(/cursor/)
  })
})

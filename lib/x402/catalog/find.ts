import * as v from 'valibot'
import { makeCursor, readCursor } from '../../cursor.ts'
import { MIN_SCORE, scoresOf } from '../../discovery/search/score.ts'
import type { Catalog, CatalogItem } from './catalog.ts'

/** The filters of the stock client. An unknown value matches nothing. */
type CatalogFilter = {
  type?: string | undefined
  payTo?: string | undefined
  scheme?: string | undefined
  network?: string | undefined
  /** The name of an extension of the item. */
  extensions?: string | undefined
}

/** Returns the names of an item's extensions. */
const extensionsOf = ({ document }: CatalogItem): string[] =>
  document.info === undefined ? ['agentcred'] : ['bazaar', 'agentcred']

function matching({ items }: Catalog, filter: CatalogFilter, network: string): CatalogItem[] {
  const is = (wanted: string | undefined, value: string) => wanted === undefined || wanted === value
  if (!is(filter.type, 'http') || !is(filter.scheme, 'exact') || !is(filter.network, network)) return []
  const { payTo, extensions } = filter
  if (payTo === undefined && extensions === undefined) return items
  return items.filter(
    (item) => is(payTo, item.owner) && (extensions === undefined || extensionsOf(item).includes(extensions)),
  )
}

type Found = { items: CatalogItem[]; isPartial: boolean; limit: number }

/** Lists a page of the catalog by rank. `total` counts the matching items. */
export function listItems(
  catalog: Catalog,
  { limit, offset, ...filter }: CatalogFilter & { limit: number; offset: number },
  network: string,
): Found & { offset: number; total: number } {
  const items = matching(catalog, filter, network)
  const { isPartial } = catalog
  return { items: items.slice(offset, offset + limit), isPartial, limit, offset, total: items.length }
}

const Position = v.strictTuple([v.pipe(v.number(), v.safeInteger(), v.minValue(0))])

/**
 * Finds items for a need: the best scores first, equal ones by rank.
 * @throws ApiError invalid_request for a cursor that the search did not issue
 */
export function searchItems(
  catalog: Catalog,
  {
    query,
    limit,
    cursor,
    ...filter
  }: CatalogFilter & { query: string; limit: number; cursor?: string | undefined },
  network: string,
): Found & { nextCursor: string | undefined } {
  const [offset] = cursor === undefined ? [0] : readCursor(Position, cursor)
  const items = matching(catalog, filter, network)
  const scores = scoresOf(
    items.map(({ text }) => text),
    query,
  )
  const found = items
    .map((item, index) => ({ item, score: scores[index] ?? 0 }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
  const end = offset + limit
  return {
    items: found.slice(offset, end),
    isPartial: catalog.isPartial,
    limit,
    nextCursor: end < found.length ? makeCursor([end]) : undefined,
  }
}

import type { AgentEndpointStatus } from '../../../schema/values.ts'
import { type StemmedText, stemmed } from '../../discovery/search/score.ts'
import type { ResourceDocument } from '../resources/document.ts'
import type { CatalogRoute } from './catalog-queries.ts'
import { MAX_BYTES, MAX_NEWEST, MAX_RANKED } from './rules.ts'

/** A listed route with its price and agent. Texts of the document and the agent's name are untrusted. */
export type CatalogItem = {
  /** The URL of the route: a template, if it has parameters. */
  resource: string
  agentId: string
  agentName: string
  owner: string
  reputationScore: number
  endpoint: AgentEndpointStatus
  priceName: string
  asset: string
  /** Smallest units of the asset, as decimal text. */
  amount: string
  /** When its 402 answer was last read. */
  lastUpdated: string
  document: ResourceDocument
  /** For the search. */
  text: StemmedText
}

/** The items by rank. `isPartial`: the limits leave out some. */
export type Catalog = { isPartial: boolean; items: CatalogItem[] }

/** The key of the value in KV. Its number changes with the value's form: two releases may read it at once. */
export const CATALOG_KEY = 'catalog-1'

function itemOf(route: CatalogRoute): CatalogItem {
  const document = JSON.parse(route.document) as ResourceDocument
  const { serviceName = '', tags = [], description = '' } = document
  return {
    resource: route.url,
    agentId: route.agentId,
    agentName: route.agentName,
    owner: route.owner,
    reputationScore: route.reputationScore,
    endpoint: route.endpoint,
    priceName: route.priceName,
    asset: route.asset,
    amount: route.amount.toString(),
    lastUpdated: (route.checkedAt ?? new Date(0)).toISOString(),
    document,
    text: stemmed(`${serviceName} ${route.agentName}`, `${tags.join(' ')} ${route.priceName}`, description),
  }
}

/**
 * Writes routes as the value in KV, at most {@link MAX_BYTES} of UTF-8. It gives the newest their places
 * first, so that routes with long documents don't displace them.
 * @param routes by rank
 */
export function catalogText(routes: readonly CatalogRoute[]): { text: string; items: number } {
  const written = routes.map((route) => ({ isRanked: route.isRanked, json: JSON.stringify(itemOf(route)) }))
  const utf8 = new TextEncoder()
  let left = MAX_BYTES - '{"isPartial":false,"items":[]}'.length
  const taken = new Set<string>()
  for (const isRanked of [false, true])
    for (const one of written) {
      if (one.isRanked !== isRanked) continue
      left -= utf8.encode(one.json).length + 1
      if (left < 0) break
      taken.add(one.json)
    }
  const items = written.flatMap(({ json }) => (taken.has(json) ? [json] : []))
  const isPartial = items.length < routes.length || (routes[0]?.total ?? 0) > MAX_RANKED + MAX_NEWEST
  return { text: `{"isPartial":${isPartial},"items":[${items.join(',')}]}`, items: items.length }
}

import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { listItems, searchItems } from '../../lib/x402/catalog/find.ts'
import { readCatalog } from '../../lib/x402/catalog/read.ts'
import { discoveryListView, discoverySearchView } from '../../lib/x402/catalog/views.ts'
import { FacilitatorPath } from '../../schema/wire/x402.ts'
import {
  DiscoveryList,
  DiscoveryListQuery,
  DiscoverySearch,
  DiscoverySearchQuery,
} from '../../schema/wire/x402-discovery.ts'
import type { Deps } from './deps.ts'
import { withKey } from './key-access.ts'

const operation = operationFor<Cloudflare.X402Env, Deps>()

const facilitatorOf = async ({ feePayers, settings: { network } }: Deps) => ({
  network,
  feePayer: (await feePayers()).newest.address,
})

type Discovery<Query> = { deps: Deps; query: Query }
type ListQuery = Parameters<typeof listItems>[1]
type SearchQuery = Parameters<typeof searchItems>[1]

const list = async ({ deps, query }: Discovery<ListQuery>) => {
  const found = listItems(await readCatalog(deps), query, deps.settings.network)
  return json(discoveryListView(found, await facilitatorOf(deps)))
}

const search = async ({ deps, query }: Discovery<SearchQuery>) => {
  const found = searchItems(await readCatalog(deps), query, deps.settings.network)
  return json(discoverySearchView(found, await facilitatorOf(deps)))
}

const listAnswers = { 200: { description: 'One page of routes.', schema: DiscoveryList } } as const
const searchAnswers = { 200: { description: 'One page of routes.', schema: DiscoverySearch } } as const

const LISTED =
  'A route is listed if its agent’s owner has a price of its name, its host’s 402 answer names the agent, and it was paid for. A change shows within six minutes.'
const SAME = 'For standard x402 software, whose base URL has the key. The answer is the same as without it.'

/** The catalog of priced routes, by the extension `bazaar` of x402 version 2. Reads KV only. */
export const discoveryRoutes = [
  operation({
    method: 'GET',
    path: '/x402/discovery/resources',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: DiscoveryListQuery,
    docs: {
      id: 'listX402Resources',
      summary: 'List priced routes',
      description: LISTED,
      answers: listAnswers,
      errors: ['dependency_unavailable'],
    },
    handle: list,
  }),
  operation({
    method: 'GET',
    path: '/x402/discovery/search',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: DiscoverySearchQuery,
    docs: {
      id: 'searchX402Resources',
      summary: 'Find priced routes for a need',
      description: `Scores the routes’ names, topics and descriptions by the words of the need. ${LISTED}`,
      answers: searchAnswers,
      errors: ['dependency_unavailable'],
    },
    handle: search,
  }),
  operation({
    method: 'GET',
    path: '/x402/k/{key}/discovery/resources',
    access: withKey,
    limit: 'FACILITATOR_LIMIT',
    conditional: true,
    params: FacilitatorPath,
    query: DiscoveryListQuery,
    docs: {
      id: 'listX402ResourcesByKey',
      summary: 'List priced routes, at a facilitator’s URL',
      description: SAME,
      answers: listAnswers,
      errors: ['facilitator_key_unknown', 'dependency_unavailable'],
    },
    handle: list,
  }),
  operation({
    method: 'GET',
    path: '/x402/k/{key}/discovery/search',
    access: withKey,
    limit: 'FACILITATOR_LIMIT',
    conditional: true,
    params: FacilitatorPath,
    query: DiscoverySearchQuery,
    docs: {
      id: 'searchX402ResourcesByKey',
      summary: 'Find priced routes, at a facilitator’s URL',
      description: SAME,
      answers: searchAnswers,
      errors: ['facilitator_key_unknown', 'dependency_unavailable'],
    },
    handle: search,
  }),
]

import { aiCatalog, ardManifest } from '../../lib/discovery/ard/catalog.ts'
import { explore } from '../../lib/discovery/ard/explore.ts'
import { listEntries } from '../../lib/discovery/ard/list.ts'
import { readEntry } from '../../lib/discovery/ard/read.ts'
import { search } from '../../lib/discovery/ard/search.ts'
import { entryView, exploreView, listView, searchView } from '../../lib/discovery/ard/views.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import {
  AiCatalog,
  ArdEntry,
  ArdEntryPath,
  ArdExplore,
  ArdList,
  ArdListQuery,
  ArdManifest,
  ArdSearch,
  ExploreAnswer,
  SearchAnswer,
} from '../../schema/wire/ard.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.ProtocolsEnv, Deps>()

/** Agentic Resource Discovery: how other software finds us and our agents. */
export const ardRoutes = [
  operation({
    method: 'GET',
    path: '/.well-known/ard.json',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getArdManifest',
      summary: 'Read the ARD manifest',
      description:
        'The manifest of Agentic Resource Discovery 0.91, at the host’s root. Its entry of type application/ai-registry+json links to the search of all agents.',
      answers: { 200: { description: 'The manifest.', schema: ArdManifest } },
      errors: [],
    },
    handle: ({ deps }) => json(ardManifest(deps.publication)),
  }),
  operation({
    method: 'GET',
    path: '/.well-known/ai-catalog.json',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getAiCatalog',
      summary: 'Read the manifest in the older format',
      description: 'For software that uses the path of ARD’s predecessor, at the host’s root.',
      answers: { 200: { description: 'The catalog.', schema: AiCatalog } },
      errors: [],
    },
    handle: ({ deps }) => json(aiCatalog(deps.publication)),
  }),
  operation({
    method: 'POST',
    path: '/ard/search',
    access: 'public',
    limit: 'READ_LIMIT',
    body: ArdSearch,
    docs: {
      id: 'searchEntries',
      summary: 'Find agents for a purpose',
      description:
        'Searches the active agents of the marketplace and of the signed registry, by the English words of their names, types, capabilities and descriptions. The score depends only on the text; agents with equal scores are ordered by reputation. At most 2,000 candidates are ranked: agents with one of the text’s rarer words, and the first of both lists. Idle agents are not found (see `layer` of GET /agents).',
      answers: { 200: { description: 'One page of results.', schema: SearchAnswer } },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, body }) => json(searchView(deps.publication, await search(deps, body))),
  }),
  operation({
    method: 'POST',
    path: '/ard/explore',
    access: 'public',
    limit: 'READ_LIMIT',
    body: ArdExplore,
    docs: {
      id: 'exploreEntries',
      summary: 'Count agents by their values',
      description:
        'Counts the results of a search with the same query, with the same limits of candidates and score. Without text it counts the first thousand of each list, so counts are exact up to that many.',
      answers: { 200: { description: 'The counts.', schema: ExploreAnswer } },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, body }) => json(exploreView(await explore(deps, body))),
  }),
  operation({
    method: 'GET',
    path: '/ard/agents',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: ArdListQuery,
    docs: {
      id: 'listEntries',
      summary: 'Browse all agents',
      description:
        'The active agents of the marketplace, best reputation first, then the entries of the registry, newest first. Pages before the last may be short.',
      answers: {
        200: {
          description: 'One page of entries.',
          schema: ArdList,
          links: { getEntry: { identifier: '#/items/0/identifier' } },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, query }) => json(listView(deps.publication, await listEntries(deps, query))),
  }),
  operation({
    method: 'GET',
    path: '/ard/agents/{identifier}',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: ArdEntryPath,
    docs: {
      id: 'getEntry',
      summary: 'Read an entry by its identifier',
      description:
        'Finds exactly this identifier, only in this registry: the one of this service, or the one that the agent’s own host publishes. An agent with both is found by either.',
      answers: { 200: { description: 'The entry.', schema: ArdEntry } },
      errors: ['entry_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) =>
      json(entryView(deps.publication, await readEntry(deps, params.identifier))),
  }),
]

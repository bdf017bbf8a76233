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
  ArdList,
  ArdManifest,
  ExploreAnswer,
  SearchAnswer,
} from '../../schema/wire/ard.ts'
import { ArdEntryPath, ArdExplore, ArdListQuery, ArdSearch } from '../../schema/wire/ard-requests.ts'
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
    docs: WORDS && {
      id: 'getArdManifest',
      summary: 'Read what we publish',
      description:
        'The manifest of Agentic Resource Discovery 0.91, at the host’s root. Its entry of type application/ai-registry+json leads to the search over all agents.',
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
    docs: WORDS && {
      id: 'getAiCatalog',
      summary: 'Read what we publish, in the older format',
      description: 'For software that looks where ARD’s predecessor has it, at the host’s root.',
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
    docs: WORDS && {
      id: 'searchEntries',
      summary: 'Find agents by what they are needed for',
      description:
        'Over the active agents of the marketplace and of the signed registry: by the words of their names, types, capabilities and descriptions, in English. The score is the text’s alone; of the same score those of better reputation come first. At most 2,000 candidates are ranked, whatever the text: those that have one of its rarer words, and the first of both lists. Idle agents are not found (`layer` of GET /agents says which).',
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
    docs: WORDS && {
      id: 'exploreEntries',
      summary: 'Count agents by their values',
      description:
        'Counts what a search with the same query finds, candidates and least score included. Without text it counts the first thousand of each list: counts are exact as long as no more than that fit.',
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
    docs: WORDS && {
      id: 'listEntries',
      summary: 'Browse all agents',
      description:
        'The active agents of the marketplace, best reputation first, then the entries of the registry, newest first. A page before the last may be short.',
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
    docs: WORDS && {
      id: 'getEntry',
      summary: 'Read an entry by its identifier',
      description:
        'Exactly this identifier, in this registry alone: ours, or the one that the agent’s own host publishes. Ours leads to an agent that has both, too.',
      answers: { 200: { description: 'The entry.', schema: ArdEntry } },
      errors: ['entry_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) =>
      json(entryView(deps.publication, await readEntry(deps, params.identifier))),
  }),
]

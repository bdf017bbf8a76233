import { identifierOf } from '../../../schema/ard-identifier.ts'
import type { ArdEntry, ArdList, ExploreAnswer, SearchAnswer } from '../../../schema/wire/ard.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import type { Facets } from './explore.ts'
import { type Publication, registryUrl } from './publication.ts'
import { kindTags, mediaTypes, type Resource } from './rules.ts'

/** Makes an ARD entry: an agent's description, and the URL of its artifact. */
export const entryView = (publication: Publication, of: Resource): Wire<typeof ArdEntry> => ({
  identifier: of.identifier ?? identifierOf(publication, of.kind, of.key),
  displayName: of.name,
  type: mediaTypes[of.protocol],
  url: artifactUrl(publication, of),
  description: of.description ?? generatedDescription(of),
  tags: [of.agentType, kindTags[of.kind]],
  capabilities: of.capabilities,
  representativeQueries: queriesFor(of),
  updatedAt: of.updatedAt?.toISOString(),
  metadata: {
    agentType: of.agentType,
    feeModel: of.feeModel,
    ...(of.reputationScore === null ? {} : { reputationScore: of.reputationScore }),
    ...(of.paidPerRequest === null ? {} : { paidPerRequest: of.paidPerRequest }),
  },
})

const words = (name: string) => name.replaceAll('_', ' ')

const withArticle = (type: string, article: 'A' | 'a') =>
  `${article}${/^[aeiou]/.test(type) ? 'n' : ''} ${type}`

const generatedDescription = ({ agentType, kind, capabilities }: Resource) =>
  `${withArticle(agentType, 'A')} agent of the ${kindTags[kind]} for ${capabilities.map(words).join(', ')}.`

/** Makes two to five questions that the agent answers. */
const queriesFor = ({ agentType, capabilities }: Resource): string[] => [
  `find ${withArticle(agentType, 'a')} agent for ${capabilities.map(words).join(' and ')}`,
  ...capabilities.slice(0, 4).map((name) => `which agent can help me with ${words(name)}?`),
]

/** Returns the URL of an agent's description: its card, its OpenAPI document, or its path in the API. */
function artifactUrl({ origin }: Publication, { kind, key, protocol, apiEndpoint }: Resource): string {
  const resource = `${origin}/v1/${kind === 'agent' ? 'agents' : 'registry/agents'}/${key}`
  switch (protocol) {
    case 'mcp':
      return `${resource}/mcp-server-card`
    case 'a2a-jsonrpc':
    case 'a2a-http':
      return `${resource}/agent-card.json`
    case 'openapi':
      return apiEndpoint ?? resource
    case 'http':
      return resource
  }
}

/** Makes a page of results, without queries, which only the entry itself has. */
export const searchView = (
  publication: Publication,
  page: { found: (Resource & { score: number })[]; pageToken?: string },
): Wire<typeof SearchAnswer> => ({
  results: page.found.map(({ score, ...resource }) => {
    const { representativeQueries: _, ...entry } = entryView(publication, resource)
    return { ...entry, score, source: registryUrl(publication) }
  }),
  pageToken: page.pageToken,
})

export const listView = (
  publication: Publication,
  page: { resources: Resource[]; pageToken?: string },
): Wire<typeof ArdList> => ({
  items: page.resources.map((resource) => entryView(publication, resource)),
  pageToken: page.pageToken,
})

export const exploreView = (facets: Facets): Wire<typeof ExploreAnswer> => ({ resultType: 'facets', facets })

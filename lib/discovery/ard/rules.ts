import type { Capability } from '../../../schema/registry.ts'
import type { ApiProtocol, DocumentKind } from '../../../schema/values.ts'
import type { filterFields } from '../../../schema/wire/ard-requests.ts'

/**
 * What fits a text less is not found: of a text of eight words one word in a name, or two in a description.
 * Search and explore have the same.
 */
export const MIN_SCORE = 12

/** What is known of anything that can be found: a marketplace agent, or an entry of the signed registry. */
export type Resource = {
  kind: DocumentKind
  /** The agent's id, or the entry's key. */
  key: string
  name: string
  description: string | null
  agentType: string
  feeModel: string
  capabilities: Capability[]
  /** What its endpoint speaks; `http` where that is not said, or where there is none. */
  protocol: ApiProtocol
  apiEndpoint: string | null
  /** How its endpoint's own host calls it; null where that says nothing. */
  identifier: string | null
  reputationScore: number | null
  updatedAt: Date | null
}

/** Values of which one is wanted, by what they are of; undefined asks for nothing. */
export type Wanted = {
  /** Empty: ours. */
  publishers?: readonly string[] | undefined
  protocols?: readonly ApiProtocol[] | undefined
  tags?: readonly string[] | undefined
  capabilities?: readonly string[] | undefined
  agentTypes?: readonly string[] | undefined
  feeModels?: readonly string[] | undefined
}

const A2A = 'application/a2a-agent-card+json'

/**
 * The media type of what describes an agent, by what its endpoint speaks. Nothing is invented for an endpoint
 * that does not say: it is described by what the API shows of it.
 */
export const mediaTypes: Readonly<Record<ApiProtocol, string>> = {
  mcp: 'application/mcp-server-card+json',
  'a2a-jsonrpc': A2A,
  'a2a-http': A2A,
  openapi: 'application/openapi+json',
  http: 'application/vnd.agentcred.agent+json',
}

/** The protocols whose descriptions have one of the media types. */
const protocolsOf = (types: readonly string[]): ApiProtocol[] =>
  (Object.keys(mediaTypes) as ApiProtocol[]).filter((protocol) => types.includes(mediaTypes[protocol]))

/** A field that can be filtered by and counted, and a filter as a client gives it: one value or several. */
export type Filter = { [Field in FilterField]?: string | string[] | undefined }
export type FilterField = (typeof filterFields)[number]

const listOf = (value: string | string[] | undefined): string[] | undefined =>
  typeof value === 'string' ? [value] : value

/** The tag that says where a resource is from. */
export const kindTags = { agent: 'marketplace', registered: 'registry' } as const

/** The values that a filter wants. */
export function wantedBy(filter: Filter, publisher: string): Wanted {
  const types = listOf(filter.type)
  return {
    // Inside, ours has no name, which nobody else has either.
    publishers: listOf(filter.publisher)?.flatMap((one) => (one === publisher ? '' : one || [])),
    protocols: types && protocolsOf(types),
    // Inside, a kind has another name than its tag, which is no tag.
    tags: listOf(filter.tags)?.flatMap((tag) =>
      Object.hasOwn(kindTags, tag) ? [] : (kindOfTag(tag) ?? tag),
    ),
    capabilities: listOf(filter.capabilities),
    agentTypes: listOf(filter['metadata.agentType']),
    feeModels: listOf(filter['metadata.feeModel']),
  }
}

const kindOfTag = (tag: string) => Object.entries(kindTags).find(([, name]) => name === tag)?.[0]

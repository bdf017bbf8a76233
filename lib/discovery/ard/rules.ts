import type { Capability } from '../../../schema/registry.ts'
import type { ApiProtocol, DocumentKind } from '../../../schema/values.ts'
import type { filterFields } from '../../../schema/wire/ard.ts'

/** A search result: a marketplace agent or a registry entry. */
export type Resource = {
  kind: DocumentKind
  /** The agent's id, or the entry's key. */
  key: string
  name: string
  description: string | null
  agentType: string
  feeModel: string
  capabilities: Capability[]
  /** The protocol of its endpoint; `http` if unknown or without an endpoint. */
  protocol: ApiProtocol
  apiEndpoint: string | null
  /** The identifier that its endpoint's own host gives it, if any. */
  identifier: string | null
  reputationScore: number | null
  /** Whether it sells single requests; null of a registry entry. */
  paidPerRequest: boolean | null
  updatedAt: Date | null
}

/** The wanted values of each field; any of them matches. Undefined fields are ignored. */
export type Wanted = {
  /** An empty text is the service's own. */
  publishers?: readonly string[] | undefined
  protocols?: readonly ApiProtocol[] | undefined
  tags?: readonly string[] | undefined
  capabilities?: readonly string[] | undefined
  agentTypes?: readonly string[] | undefined
  feeModels?: readonly string[] | undefined
  /** `true` and `false`. */
  paidPerRequest?: readonly string[] | undefined
}

const A2A = 'application/a2a-agent-card+json'

/**
 * The media type of an agent's description by its endpoint's protocol. Without a protocol, the API's own
 * answer describes the agent.
 */
export const mediaTypes: Readonly<Record<ApiProtocol, string>> = {
  mcp: 'application/mcp-server-card+json',
  'a2a-jsonrpc': A2A,
  'a2a-http': A2A,
  openapi: 'application/openapi+json',
  http: 'application/vnd.agentcred.agent+json',
}

/** Returns the protocols whose descriptions have one of the media types. */
const protocolsOf = (types: readonly string[]): ApiProtocol[] =>
  (Object.keys(mediaTypes) as ApiProtocol[]).filter((protocol) => types.includes(mediaTypes[protocol]))

/** A filter of a request: one value or several for each field. */
export type Filter = { [Field in FilterField]?: Value | Value[] | undefined }
type Value = string | boolean
export type FilterField = (typeof filterFields)[number]

const listOf = (value: Value | Value[] | undefined): string[] | undefined =>
  value === undefined ? undefined : [value].flat().map(String)

/** The tag of each kind of resource. */
export const kindTags = { agent: 'marketplace', registered: 'registry' } as const

/** Converts a filter to the wanted values. */
export function wantedBy(filter: Filter, publisher: string): Wanted {
  const types = listOf(filter.type)
  return {
    // Inside, the service's own publisher is an empty text, which no other publisher has.
    publishers: listOf(filter.publisher)?.flatMap((one) => (one === publisher ? '' : one || [])),
    protocols: types && protocolsOf(types),
    // Inside, a kind has another name than its tag, so its name must not match as a tag.
    tags: listOf(filter.tags)?.flatMap((tag) =>
      Object.hasOwn(kindTags, tag) ? [] : (kindOfTag(tag) ?? tag),
    ),
    capabilities: listOf(filter.capabilities),
    agentTypes: listOf(filter['metadata.agentType']),
    feeModels: listOf(filter['metadata.feeModel']),
    paidPerRequest: listOf(filter['metadata.paidPerRequest']),
  }
}

const kindOfTag = (tag: string) => Object.entries(kindTags).find(([, name]) => name === tag)?.[0]

import type { Listed } from './listed.ts'

/** An MCP server card (SEP-2127, schema v1), with the facts of the registration. */
export type McpServerCard = {
  $schema: string
  name: string
  title: string
  description: string
  version: string
  websiteUrl?: string
  remotes: {
    type: 'streamable-http'
    url: string
    supportedProtocolVersions?: string[]
    headers?: { name: string; description: string; isRequired: boolean; isSecret: boolean }[]
  }[]
}

export const MCP_CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'
/** The longest description, in code points. */
const MAX_LENGTH = 100

/** Returns the name of a server in MCP: the reversed domain, and its name within the service. */
export const serverName = (publisher: string, localName: string): string =>
  `${publisher.split('.').reverse().join('.')}/${localName}`

/**
 * Makes the card of an agent that speaks MCP; undefined for others.
 * @param publisher the service's domain
 */
export function mcpServerCard(listed: Listed, publisher: string): McpServerCard | undefined {
  if (listed.protocol !== 'mcp') return undefined
  return {
    $schema: MCP_CARD_SCHEMA,
    name: serverName(publisher, listed.localName),
    title: listed.name,
    description: shortened(listed.description),
    version: listed.version,
    ...(listed.websiteUrl === null ? {} : { websiteUrl: listed.websiteUrl }),
    // Escape braces, which would be variables of a template.
    remotes: [{ type: 'streamable-http', url: listed.url.replaceAll('{', '%7B').replaceAll('}', '%7D') }],
  }
}

function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= MAX_LENGTH ? text : `${characters.slice(0, MAX_LENGTH - 1).join('')}…`
}

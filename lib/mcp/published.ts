import type { Publication } from '../discovery/ard/publication.ts'
import { MCP_CARD_SCHEMA, type McpServerCard, serverName } from '../discovery/cards/mcp-card.ts'
import { catalog } from './catalog.ts'
import { VERSIONS } from './protocol.ts'

/** Returns the facts that server.json of the MCP registry and the server card share. */
export const publishedServer = ({ origin, publisher }: Publication) => ({
  name: serverName(publisher, catalog.server.name),
  title: catalog.server.title,
  description: 'Find, hire and pay software agents on Solana; stake, and read reputation and events.',
  version: catalog.server.version,
  remote: {
    type: 'streamable-http' as const,
    url: `${origin}/v1/mcp`,
    headers: [
      {
        name: 'Authorization',
        description:
          'Bearer and an access token (OAuth) or a session token (POST /v1/auth/handshake). Without it, only tools that read public data work.',
        isRequired: false,
        isSecret: true,
      },
    ],
  },
})

/** Returns the server card of this server (SEP-2127, schema v1). */
export function ownServerCard(publication: Publication): McpServerCard {
  const { remote, ...server } = publishedServer(publication)
  return {
    $schema: MCP_CARD_SCHEMA,
    ...server,
    remotes: [{ ...remote, supportedProtocolVersions: [...VERSIONS] }],
  }
}

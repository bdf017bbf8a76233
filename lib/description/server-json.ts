import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalog } from '../mcp/catalog.ts'
import { readWorkers } from '../wrangler/config.ts'

const FILE = join(import.meta.dirname, '../../dist/server.json')

/** The entry of a remote server in the MCP registry, as its schema of 2025-12-11 has it. */
type ServerJson = {
  $schema: string
  name: string
  title: string
  description: string
  version: string
  remotes: {
    type: 'streamable-http'
    url: string
    headers: { name: string; description: string; isRequired: boolean; isSecret: boolean }[]
  }[]
}

/**
 * Makes what `mcp-publisher publish` sends to the MCP registry. Its name begins with our domain, backwards,
 * which whoever publishes must prove to own.
 * @param origin where the API is found
 * @param publisher the domain under whose name we publish
 */
export const serverJson = (origin: string, publisher: string): ServerJson => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: `${publisher.split('.').toReversed().join('.')}/${catalog.server.name}`,
  title: catalog.server.title,
  description: 'Find, hire and pay software agents on Solana; stake, and read reputation and events.',
  version: catalog.server.version,
  remotes: [
    {
      type: 'streamable-http',
      url: `${origin}/v1/mcp`,
      headers: [
        {
          name: 'Authorization',
          description: 'Bearer and a session token of POST /v1/auth/handshake. Without it, tools that read.',
          isRequired: false,
          isSecret: true,
        },
      ],
    },
  ],
})

/** Writes dist/server.json for the deployment that wrangler.toml describes. */
export function writeServerJson(): void {
  const { API_ORIGIN: origin, ARD_PUBLISHER: publisher } =
    readWorkers().find(({ group }) => group === 'protocols')?.vars ?? {}
  if (!origin || !publisher) throw new Error('wrangler.toml: API_ORIGIN and ARD_PUBLISHER are not set')
  mkdirSync(join(FILE, '..'), { recursive: true })
  writeFileSync(FILE, `${JSON.stringify(serverJson(origin, publisher), null, 2)}\n`)
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Publication } from '../../discovery/ard/publication.ts'
import { publishedServer } from '../../mcp/published.ts'
import type { WorkerConfig } from '../wrangler.ts'

const FILE = join(import.meta.dirname, '../../../dist/server.json')

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/**
 * Makes the document that `mcp-publisher publish` sends to the MCP registry, by its schema of 2025-12-11. The
 * name begins with our reversed domain, whose ownership the publisher must prove.
 */
export function serverJson(publication: Publication) {
  const { remote, ...server } = publishedServer(publication)
  return { $schema: SCHEMA, ...server, remotes: [remote] }
}

/** Writes dist/server.json for the Workers of a deployment. */
export function writeServerJson(workers: Pick<WorkerConfig, 'group' | 'vars'>[]): void {
  const { API_ORIGIN: origin, ARD_PUBLISHER: publisher } =
    workers.find(({ group }) => group === 'mcp')?.vars ?? {}
  if (!origin || !publisher) throw new Error('API_ORIGIN and ARD_PUBLISHER are not set')
  mkdirSync(join(FILE, '..'), { recursive: true })
  writeFileSync(FILE, `${JSON.stringify(serverJson({ origin, publisher }), null, 2)}\n`)
}

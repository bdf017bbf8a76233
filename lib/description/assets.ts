import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderReference } from './reference.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Lays out the root Worker's static assets from the committed openapi.json: the document without white space, and
 * the reference page. wrangler runs this before it deploys, the local platform before it starts.
 */
export function buildAssets(): void {
  const document: unknown = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))
  const folder = join(ROOT, 'dist/assets/v1')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  writeFileSync(join(folder, 'docs.html'), renderReference(document))
}

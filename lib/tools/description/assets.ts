import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InferInput } from 'valibot'
import type { ApiInfo } from '../../../schema/wire/root.ts'
import { renderReference } from './reference.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The parts of the document that tell what answers at the base address. */
type Document = {
  info: { title: string; version: string }
  paths: Record<string, Record<string, unknown>>
}

/**
 * Lays out the root Worker's static assets from the committed openapi.json: what answers at the base address,
 * the document without white space, and the reference page. wrangler runs this before it deploys, the local
 * platform before it starts.
 */
export function buildAssets(): void {
  const document: Document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))
  const folder = join(ROOT, 'dist/assets/v1')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.json'), JSON.stringify(apiInfo(document)))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  writeFileSync(join(folder, 'docs.html'), renderReference(document))
}

const apiInfo = ({ info, paths }: Document): InferInput<typeof ApiInfo> => ({
  name: info.title,
  version: info.version,
  status: 'operational',
  endpoints: Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  ),
})

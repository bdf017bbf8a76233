import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InferInput } from 'valibot'
import type { ApiInfo } from '../../../schema/wire/root.ts'
import { type Described, offeredOf } from './offered.ts'
import { openApi30 } from './openapi-3-0.ts'
import type { Description } from './reference/description.ts'
import { llmsText, referenceMarkdown, schemasMarkdown } from './reference/markdown.ts'
import { renderReference } from './reference/page.ts'
import { renderSchemas } from './reference/schemas-page.ts'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * Writes the root Worker's static assets from the committed openapi.json. They are the answer at the base
 * address, the document without white space and as OpenAPI 3.0, and the reference. That is two pages with
 * their scripts, both also as Markdown, and llms.txt. wrangler runs this before a deployment, and the local
 * platform before its start.
 * @param assets the absolute path of the folder
 * @param notOffered prefixes of paths whose Workers are not deployed
 */
export function buildAssets(assets: string, notOffered: string[] = []): void {
  const whole: Described & Description = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))
  const document = offeredOf(whole, notOffered)
  const folder = join(assets, 'v1')
  mkdirSync(join(folder, 'docs'), { recursive: true })
  writeFileSync(join(folder, 'index.json'), JSON.stringify(apiInfo(document)))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  writeFileSync(join(folder, 'openapi-3.0.json'), JSON.stringify(openApi30(document)))
  writeFileSync(join(folder, 'docs.html'), renderReference(document))
  writeFileSync(join(folder, 'docs/schemas.html'), renderSchemas(document))
  writeFileSync(join(folder, 'docs.md'), referenceMarkdown(document))
  writeFileSync(join(folder, 'docs/schemas.md'), schemasMarkdown(document))
  writeFileSync(join(assets, 'llms.txt'), llmsText(document))
  for (const script of ['filter.js', 'tabs.js'])
    copyFileSync(join(import.meta.dirname, 'reference', script), join(folder, 'docs', script))
}

const apiInfo = ({ info, paths }: Description): InferInput<typeof ApiInfo> => ({
  name: info.title,
  version: info.version,
  status: 'operational',
  endpoints: Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  ),
})

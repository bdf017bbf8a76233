import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const CLIENT = pathToFileURL(join(import.meta.dirname, '../../client/package.json')).href

/**
 * Writes the TypeScript types of an OpenAPI document's schemas and operations, int64 as bigint.
 * @param document the parsed document
 */
export async function schemaTypes(document: object): Promise<string> {
  const { createClient } = await loadGenerator()
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-types-'))
  try {
    await createClient({
      input: document as Record<string, unknown>,
      output: folder,
      logs: { level: 'silent', file: false },
      // Only with the transformers, which nobody uses, are the types of amounts bigint.
      plugins: ['@hey-api/typescript', { name: '@hey-api/transformers', bigInt: true, dates: false }],
    })
    return readFileSync(join(folder, 'types.gen.ts'), 'utf8').replace(/^\/\/.*\n+/, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The generator needs the compiler's API, which TypeScript 7 has not: the client's package holds a 6. */
async function loadGenerator() {
  const hooks = registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(specifier, specifier === 'typescript' ? { ...context, parentURL: CLIENT } : context),
  })
  try {
    return await import('@hey-api/openapi-ts')
  } finally {
    hooks.deregister()
  }
}

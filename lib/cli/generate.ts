import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildConsole } from '../description/console.ts'
import { buildAssets } from '../description/assets.ts'
import { writeClientTypes } from '../description/client-types.ts'
import { buildDocument } from '../description/document.ts'
import { writeTables } from '../description/tables.ts'
import { readableJson } from '../description/text.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * What can be generated, by name; each is written where it is committed (assets: where they are served from).
 */
const generators: Record<string, () => Promise<void> | void> = {
  types: () => run('wrangler', 'types', '--strict-vars=false', '--include-runtime=false'),
  migrations: () => run('drizzle-kit', 'generate'),
  openapi: async () => writeFileSync(join(ROOT, 'openapi.json'), await openApiText()),
  client: writeClientTypes,
  tables: writeTables,
  assets: buildAssets,
  console: () => buildConsole(join(ROOT, 'dist/console')),
}

/** The text of openapi.json as the code says it should be. */
export const openApiText = async (): Promise<string> => `${readableJson(await buildDocument())}\n`

function run(command: string, ...args: string[]) {
  execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** `npm run generate [-- <name> …]`: everything, or what is named. */
async function main(names: string[]) {
  for (const name of names.length > 0 ? names : Object.keys(generators)) {
    const generator = generators[name]
    if (!generator) throw new Error(`unknown: ${name}; known: ${Object.keys(generators).join(', ')}`)
    await generator()
  }
}

if (import.meta.main) await main(process.argv.slice(2))

import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_FOLDER, runTool } from '../tool.ts'
import { functionsHash } from './functions.ts'
import { MIGRATIONS } from './migrations.ts'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * Returns a folder of PGlite's with the migrations applied, to be copied. It is made once for each state of
 * the migrations and functions, since to initialise a database takes PGlite seconds and 300 MB.
 */
export async function databaseTemplate(): Promise<string> {
  const hash = createHash('sha256').update(
    readFileSync(join(ROOT, 'node_modules/@electric-sql/pglite/package.json')),
  )
  hash.update(functionsHash())
  for (const file of globSync('**/*', { cwd: MIGRATIONS, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort())
    hash.update(`\0${file}\0`).update(readFileSync(file))
  const folder = join(BUILT_FOLDER, `postgres-${hash.digest('hex').slice(0, 16)}`)
  if (!existsSync(folder)) await runTool('neon/template-process.ts', folder)
  return folder
}

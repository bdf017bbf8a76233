import { type StdioOptions, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'migrations')
const SNAPSHOTS = join(FOLDER, 'meta')

/** What to do when schema/tables has changes without a migration. */
export const NEEDS_MIGRATION =
  'schema/tables has changes without a migration: run npm run generate -- migrations <name>'

/** Returns whether schema/tables has changes without a migration. Writes nothing into migrations/. */
export function needsMigration(): boolean {
  const copy = mkdtempSync(join(tmpdir(), 'agentcred-migrations-'))
  try {
    cpSync(FOLDER, copy, { recursive: true })
    // It exits with 0, too, when it fails because it would ask whether a column was renamed.
    return !generate(copy, 'check', ['ignore', 'pipe', 'inherit']).includes('No schema changes')
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/**
 * Writes a migration of the kind `expand` with the changes of schema/tables. drizzle-kit asks in the terminal
 * whether a column was renamed. Of its snapshots only the newest stays, with which it compares the tables.
 * @throws Error if schema/tables has no change, or drizzle-kit has written nothing
 */
export function writeMigration(name: string): void {
  if (!needsMigration())
    throw new Error(
      `schema/tables has no change. For a migration by hand: npx drizzle-kit generate --custom --name ${name}`,
    )
  const before = new Set(readdirSync(FOLDER))
  generate(FOLDER, name, 'inherit')
  const added = readdirSync(FOLDER).filter((file) => !before.has(file))
  if (added.length === 0) throw new Error('drizzle-kit has written no migration')
  for (const file of added) {
    const path = join(FOLDER, file)
    writeFileSync(path, `-- expand\n${readFileSync(path, 'utf8').trimEnd()}\n`)
    console.log(`migrations/${file}: review it, and change its first line if it is of another kind`)
  }
  const snapshots = readdirSync(SNAPSHOTS).filter((file) => file.endsWith('_snapshot.json'))
  for (const file of snapshots.toSorted().slice(0, -1)) rmSync(join(SNAPSHOTS, file))
}

/** Lets drizzle-kit add a migration to a folder, if schema/tables has changed. @returns what it prints */
function generate(folder: string, name: string, stdio: StdioOptions): string {
  const options = [
    '--dialect',
    'postgresql',
    '--schema',
    './schema/tables/*.ts',
    '--out',
    relative(ROOT, folder),
  ]
  const { stdout } = spawnSync('drizzle-kit', ['generate', ...options, '--name', name], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio,
  })
  return stdout ?? ''
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrations } from '../../lib/migrations/migration-files.ts'
import { migrate } from '../../lib/migrations/migrator.ts'
import type { SqlDatabase } from '../../lib/migrations/protocol.ts'
import { temporaryFolder } from './key-files.ts'

/** Makes a folder of migrations and backfills, files by name, a second apart from `when` on. */
export function migrationsFolder(files: Record<string, string>, when = 1): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'meta'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.sql`), text)
  const entries = Object.keys(files)
    .filter((name) => !name.endsWith('.backfill'))
    .map((tag, idx) => ({ idx, version: '7', when: when + idx, tag, breakpoints: true }))
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }))
  return folder
}

/** Brings a database to where another version's migrations do: one, of this time in Unix milliseconds. */
export const migrateElsewhere = (database: SqlDatabase, when: number): Promise<void> =>
  migrate(
    database,
    readMigrations(migrationsFolder({ '0000_other': 'create table other (id integer)' }, when)),
  )

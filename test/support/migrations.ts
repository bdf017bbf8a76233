import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SqlDatabase } from '../../lib/local/neon/protocol.ts'
import { temporaryFolder } from './key-files.ts'

/** Brings a database to where another version's migrations do: one, of this time in Unix milliseconds. */
export async function migrateElsewhere(database: SqlDatabase, when: number): Promise<void> {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'meta'))
  const entries = [{ idx: 0, version: '7', when, tag: '0000_other', breakpoints: true }]
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }))
  writeFileSync(join(folder, '0000_other.sql'), 'create table other (id integer)')
  await database.migrate(folder)
}

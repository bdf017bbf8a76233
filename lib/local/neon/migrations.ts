import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { applyFunctions } from './functions.ts'
import type { SqlDatabase } from './protocol.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../../migrations')

/** The database has had a migration that is not in migrations/. */
export class UnknownMigration extends Error {
  override readonly name = 'UnknownMigration'
}

/**
 * Applies the migrations that a database lacks, and makes the release's functions.
 * @throws {UnknownMigration} before anything is written, when the database has had a migration that is not
 *   here and is older than the newest that is. An unreleased version applied it: a released migration never
 *   changes. Newer ones are of a later version, beside which this one runs.
 */
export async function applyMigrations(database: SqlDatabase): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS })
  const newest = Math.max(...known.map(({ folderMillis }) => folderMillis))
  const hashes = new Set(known.map(({ hash }) => hash))
  for (const [hash, appliedAt] of await appliedMigrations(database))
    if (Number(appliedAt) <= newest && !hashes.has(hash ?? ''))
      throw new UnknownMigration(
        'an unreleased version of AgentCred made the database: it has had a migration that no released ' +
          'database has had. Use an empty one',
      )
  await database.migrate(MIGRATIONS)
  await applyFunctions(database)
}

/** The hash and the time of each migration that the database has had, from drizzle-orm's journal. */
async function appliedMigrations(database: SqlDatabase): Promise<(string | null)[][]> {
  const [journal] = await rowsOf(database, "select to_regclass('drizzle.__drizzle_migrations')")
  return journal?.[0] == null
    ? []
    : rowsOf(database, 'select hash, created_at from drizzle.__drizzle_migrations')
}

async function rowsOf(database: SqlDatabase, query: string): Promise<(string | null)[][]> {
  return (await database.run([{ query, params: [] }]))[0]?.rows ?? []
}

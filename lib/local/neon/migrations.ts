import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { API_SCHEMA } from '../../../schema/release.ts'
import type { SqlDatabase } from './protocol.ts'
import { rightsSql } from './rights.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../../migrations')

/** The database has had a migration that is not in migrations/. */
export class UnknownMigration extends Error {
  override readonly name = 'UnknownMigration'
}

/**
 * Applies the migrations that a database lacks, makes the release's functions, gives roles their rights, and
 * limits statements.
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
  await limitStatements(database)
}

/**
 * Limits how long a statement runs, how long it waits for a lock, and how long a transaction waits for its
 * next statement, for every role that connects to the database from now on. A Worker waits for an answer
 * longer than its statement waits for a lock, so that it learns that nothing was done. Of the statements in
 * line for a row each but the first waits for two locks: it may be given up. The embedded Postgres has no
 * timers, and heeds none of these.
 */
const limitStatements = (database: SqlDatabase): Promise<void> =>
  database.execScript(`do $$ begin
    execute format('alter database %I set statement_timeout = ''15s''', current_database());
    execute format('alter database %I set lock_timeout = ''4s''', current_database());
    execute format('alter database %I set idle_in_transaction_session_timeout = ''15s''', current_database());
  end $$`)

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

const FUNCTIONS = join(import.meta.dirname, '../../../schema/functions')

/** A function of Postgres: its name, its file's text, and whether Workers call it or only other functions. */
export type FunctionSource = { name: string; text: string; isPart: boolean }

/** All functions of schema/functions by name, parts first. */
export const functionSources = (): FunctionSource[] =>
  ['parts/*.sql', '*.sql'].flatMap((pattern, index) =>
    globSync(pattern, { cwd: FUNCTIONS })
      .toSorted()
      .map((file) => ({
        name: basename(file, '.sql'),
        text: readFileSync(join(FUNCTIONS, file), 'utf8'),
        isPart: index === 0,
      })),
  )

/** What names the state of all functions: a hash of their texts. */
export const functionsHash = (): string =>
  functionSources()
    .reduce((hash, { name, text }) => hash.update(`\0${name}\0${text}`), createHash('sha256'))
    .digest('hex')

/**
 * Makes the release's functions in a schema of their own unless the schema has them, and brings the rights of
 * all roles to what schema/rights.ts says, in one transaction: at no time a Worker lacks a right. Functions
 * pin the search_path that is set here (`set search_path from current`): first their own schema, last the one
 * in which anybody may make temporary objects.
 */
async function applyFunctions(database: SqlDatabase): Promise<void> {
  const hash = functionsHash()
  const [[known] = []] = await rowsOf(
    database,
    `select obj_description(to_regnamespace('${API_SCHEMA}'), 'pg_namespace')`,
  )
  const functions = `
    set local check_function_bodies = off;
    drop schema if exists ${API_SCHEMA} cascade;
    create schema ${API_SCHEMA};
    comment on schema ${API_SCHEMA} is '${hash}';
    set local search_path = ${API_SCHEMA}, public, pg_temp;
    ${functionSources()
      .map(({ text }) => text)
      .join('\n')}
    reset search_path;`
  await database.execScript(`begin; ${known === hash ? '' : functions} ${rightsSql()} commit;`)
}

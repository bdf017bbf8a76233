import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { API_SCHEMA } from '../../schema/release.ts'
import { type Migration, readMigrations } from './migration-files.ts'
import { migrate, pendingOf, readApplied, rowsOf } from './migrator.ts'
import type { SqlDatabase } from './protocol.ts'
import { isAtLeast, type Release, runningRelease } from './release.ts'
import { rightsSql } from './rights.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** The database has a migration that is not in migrations/. */
export class UnknownMigration extends Error {
  override readonly name = 'UnknownMigration'
}

/** The running Workers still need something that a migration would remove or change. */
export class NotYet extends Error {
  override readonly name = 'NotYet'
}

/**
 * Applies the missing migrations, makes the release's functions, grants rights, and limits statements.
 * @param former an earlier release than the recorded one, of which some Workers still run
 * @throws {UnknownMigration} and {NotYet} before anything is written, see planMigrations
 */
export async function applyMigrations(
  database: SqlDatabase,
  folder = MIGRATIONS,
  former?: Release,
): Promise<void> {
  const { known, running } = await planMigrations(database, folder)
  await migrate(database, known)
  await applyFunctions(database, former ?? running)
  await limitStatements(database)
}

/**
 * Returns what a database lacks, and writes nothing.
 * @throws {UnknownMigration} if the database has a migration that is not here, and is older than the newest
 *   one here. An unreleased version applied it, since a released migration never changes. Newer ones are from
 *   a later version, with which this one works.
 * @throws {NotYet} if the running release still needs something that a migration removes, or calls functions
 *   that have changed
 */
export async function planMigrations(
  database: SqlDatabase,
  folder = MIGRATIONS,
): Promise<{
  known: Migration[]
  pending: Migration[]
  running: Release | undefined
  hasFunctions: boolean
}> {
  const known = readMigrations(folder)
  const newest = Math.max(...known.map(({ when }) => when))
  const hashes = new Set(known.map(({ hash }) => hash))
  const applied = await readApplied(database)
  for (const [hash, at] of applied.hashes)
    if (at <= newest && !hashes.has(hash))
      throw new UnknownMigration(
        'an unreleased version of AgentCred made the database: it has a migration that no released ' +
          'database has. Use an empty one',
      )
  const pending = pendingOf(known, applied)
  const running = await runningRelease(database)
  const early = pending.find(({ from }) => from && running && !isAtLeast(running.version, from))
  if (early && running)
    throw new NotYet(
      `Migration ${early.tag} removes what Workers before release ${early.from} use, and Workers of release ` +
        `${running.version} run: upgrade to ${early.from} first`,
    )
  const [row] = await rowsOf(
    database,
    `select obj_description(to_regnamespace('${API_SCHEMA}'), 'pg_namespace')`,
  )
  const hasFunctions = row?.[0] === functionsHash()
  if (!hasFunctions && running?.apiSchema === API_SCHEMA)
    throw new NotYet(
      `The functions of ${API_SCHEMA} have changed, but the running Workers of release ${running.version} call ` +
        'them: put the new ones under the next name in schema/release.ts',
    )
  return { known, pending, running, hasFunctions }
}

/**
 * Limits how long a statement runs, how long it waits for a lock, and how long a transaction waits for its
 * next statement. This holds for every role that connects from now on. A Worker waits longer for an answer
 * than its statement waits for a lock, so it learns that nothing was done. If several statements queue for a
 * row, each but the first waits for two locks, and may time out. The embedded Postgres has no timers and
 * ignores the limits.
 */
const limitStatements = (database: SqlDatabase): Promise<void> =>
  database.execScript(`do $$ begin
    execute format('alter database %I set statement_timeout = ''15s''', current_database());
    execute format('alter database %I set lock_timeout = ''4s''', current_database());
    execute format('alter database %I set idle_in_transaction_session_timeout = ''15s''', current_database());
  end $$`)

const FUNCTIONS = join(import.meta.dirname, '../../schema/functions')

/** A Postgres function: its name, its file's text, and whether only other functions call it. */
export type FunctionSource = { name: string; text: string; isPart: boolean }

/** Returns all functions of schema/functions, by name, parts first. */
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

/** Returns a hash of all functions' texts. */
export const functionsHash = (): string =>
  functionSources()
    .reduce((hash, { name, text }) => hash.update(`\0${name}\0${text}`), createHash('sha256'))
    .digest('hex')

/**
 * Sets the rights of all roles for this release's Workers and for the running release's. Does nothing if the
 * functions do not exist yet, since no right has changed then.
 */
export async function applyRights(database: SqlDatabase, running: Release): Promise<void> {
  const [row] = await rowsOf(database, `select to_regnamespace('${API_SCHEMA}')`)
  if (row?.[0] != null) await database.execScript(`begin; ${rightsSql(running)} commit;`)
}

/**
 * Makes the release's functions in their own schema, unless the schema has them, and sets the rights of all
 * roles by schema/rights.ts. This is one transaction, so a Worker never lacks a right. Functions pin the
 * search_path that is set here (`set search_path from current`). It begins with their own schema, and ends
 * with the schema in which anybody may make temporary objects.
 */
async function applyFunctions(database: SqlDatabase, running: Release | undefined): Promise<void> {
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
  await database.execScript(`begin; ${known === hash ? '' : functions} ${rightsSql(running)} commit;`)
}

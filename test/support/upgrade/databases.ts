import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readMigrations } from '../../../lib/migrations/migration-files.ts'
import { applyMigrations, functionsHash, MIGRATIONS } from '../../../lib/migrations/migrations.ts'
import { migrate } from '../../../lib/migrations/migrator.ts'
import { openPostgres } from '../../../lib/migrations/postgres.ts'
import type { SqlEngine } from '../../../lib/migrations/protocol.ts'
import { recordRelease } from '../../../lib/migrations/release.ts'
import { API_SCHEMA } from '../../../schema/release.ts'
import type { Recording } from './recording.ts'
import { emptyDatabase, type Row, writeRows } from './rows.ts'

/** Returns the recording of the release in this working copy, without examples. */
export async function presentRelease(migrated: SqlEngine): Promise<Omit<Recording, 'version' | 'examples'>> {
  return {
    migrations: hashesOfMigrations(),
    apiSchema: API_SCHEMA,
    functions: await functionsOf(migrated, API_SCHEMA),
  }
}

/**
 * Brings an empty database to where a release has left it, with rows of that release, and then to the present
 * schema as an upgrade does.
 * @throws Error when a released migration has changed, or functions without a new schema for them
 */
export async function upgradeFrom(
  url: string,
  recording: Omit<Recording, 'examples'>,
  rows: readonly Row[] = [],
): Promise<void> {
  const { version, migrations, apiSchema, functions } = recording
  if (migrations.some((hash, index) => hashesOfMigrations()[index] !== hash))
    throw new Error(`a migration of ${version} has changed: a released migration never changes`)
  if (apiSchema === API_SCHEMA && !functions.includes(functionsHash()))
    throw new Error(
      `functions have changed in ${API_SCHEMA}, which Workers of ${version} call: give this release another (schema/release.ts)`,
    )
  const database = await openPostgres(url)
  try {
    await withFirstMigrations(migrations.length, (folder) => migrate(database, readMigrations(folder)))
    await database.execScript(functions)
    await emptyDatabase(database)
    await inTransaction(url, (client) => writeRows(client, rows))
    await recordRelease(database, { version, apiSchema, sources: 'its own' }, new Date())
    await applyMigrations(database)
  } finally {
    await database.close()
  }
}

async function inTransaction(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

const hashesOfMigrations = (): string[] => readMigrations(MIGRATIONS).map(({ hash }) => hash)

/** Makes a folder of the first migrations alone. */
async function withFirstMigrations(count: number, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-migrations-'))
  try {
    cpSync(MIGRATIONS, folder, { recursive: true })
    const journal = join(folder, 'meta/_journal.json')
    const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
    writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }))
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A script that makes a schema of functions as it is, with the rights in it. */
async function functionsOf(engine: SqlEngine, schema: string): Promise<string> {
  const query = DEFINITIONS.replaceAll('$1', `'${schema}'::regnamespace`)
  const [found] = await engine.run([{ query, params: [] }])
  const [comment, ...rest] = (found?.rows ?? []).map(([line]) => line)
  return [
    `create schema ${schema}`,
    comment,
    'set check_function_bodies = off',
    ...rest,
    'reset check_function_bodies',
  ]
    .map((line) => `${line};\n`)
    .join('')
}

const DEFINITIONS = `
  select line from (
    select 1 as part, '' as name, format('comment on schema %I is %L', nspname, obj_description(oid, 'pg_namespace')) as line
    from pg_namespace where oid = $1
    union all
    select 2, proname, pg_get_functiondef(oid) from pg_proc where pronamespace = $1
    union all
    select 3, proname, format('revoke all on function %s from public', oid::regprocedure) from pg_proc where pronamespace = $1
    union all
    select 4, proname || rolname, format('grant execute on function %s to %I', p.oid::regprocedure, rolname)
    from pg_proc as p, aclexplode(proacl) as one join pg_roles as r on r.oid = grantee where pronamespace = $1 and grantee <> proowner
    union all
    select 5, rolname, format('grant usage on schema %I to %I', nspname, rolname)
    from pg_namespace as n, aclexplode(nspacl) as one join pg_roles as r on r.oid = grantee where n.oid = $1 and grantee <> nspowner
  ) as lines order by part, name, line`

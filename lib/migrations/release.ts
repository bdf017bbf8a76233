import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_SCHEMA } from '../../schema/release.ts'
import { rowsOf } from './migrator.ts'
import type { SqlDatabase } from './protocol.ts'

/** A release in a database's records. */
export type Release = {
  /** As in package.json: 1.2.0. */
  version: string
  /** The schema of its functions. */
  apiSchema: string
  /** A hash of its Workers' sources. */
  sources: string
  /** The commit of its sources; undefined if they were not committed unchanged. */
  commit?: string | undefined
}

/** Returns this folder's release. */
export const thisRelease = (sources: string, commit?: string): Release => ({
  version: JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version,
  apiSchema: API_SCHEMA,
  sources,
  commit,
})

/**
 * Returns the release that runs; undefined if no deployment was completed: only this release may run there.
 */
export const runningRelease = async (database: SqlDatabase): Promise<Release | undefined> =>
  (await releasesIn(database)).at(-1)

/**
 * Returns the release to go back to. A release that a rollback has replaced does not count, so two rollbacks
 * go back once.
 */
export async function formerRelease(database: SqlDatabase): Promise<Release | undefined> {
  const way: Release[] = []
  for (const release of await releasesIn(database)) {
    // Recorded again with its commit, or rolled back to.
    const known = way.slice(-2).findIndex((one) => isSame(one, release))
    if (known >= 0) way.splice(known - Math.min(way.length, 2))
    way.push(release)
  }
  return way.at(-2)
}

/** Returns the releases whose Workers have run, the latest last. */
async function releasesIn(database: SqlDatabase): Promise<Release[]> {
  const [there] = await rowsOf(database, "select to_regclass('drizzle.releases')")
  if (there?.[0] == null) return []
  // Release 1.0.0 recorded no commit: its table has no such column.
  const rows = await rowsOf(
    database,
    `select version, api_schema, sources, to_jsonb(releases) ->> 'commit' from drizzle.releases order by id`,
  )
  return (rows as [string, string, string, string | null][]).map(([version, apiSchema, sources, commit]) => ({
    version,
    apiSchema,
    sources,
    ...(commit !== null && { commit }),
  }))
}

/** Records that all Workers are of this release now. */
export async function recordRelease(database: SqlDatabase, release: Release, now: Date): Promise<void> {
  const { version, apiSchema, sources, commit } = release
  const before = await runningRelease(database)
  if (before && isSame(before, release) && (commit === undefined || before.commit === commit)) return
  await database.execScript(`create table if not exists drizzle.releases (id bigint generated always as identity primary key,
    version text not null, api_schema text not null, sources text not null, since timestamptz not null);
    alter table drizzle.releases add column if not exists commit text`)
  await rowsOf(
    database,
    `insert into drizzle.releases (version, api_schema, sources, since, commit)
     values ($1, $2, $3, $4, nullif($5, ''))`,
    [version, apiSchema, sources, now.toISOString(), commit ?? ''],
  )
}

/** Returns whether two releases have the same code, from any commit. */
export const isSame = (a: Release, b: Release): boolean =>
  a.version === b.version && a.apiSchema === b.apiSchema && a.sources === b.sources

/** Returns whether a version is the wanted one or a later one. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [a, b] = [version, wanted].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)))
  const index = [0, 1, 2].find((i) => a?.[i] !== b?.[i])
  return index === undefined || (a?.[index] ?? 0) > (b?.[index] ?? 0)
}

/** Drops the functions of all releases except `schemas`. @returns the names of the dropped schemas */
export async function dropOtherFunctions(database: SqlDatabase, schemas: string[]): Promise<string[]> {
  const rows = await rowsOf(database, "select nspname from pg_namespace where nspname ~ '^api_[0-9]+$'")
  const others = rows.flatMap(([name]) => (name && !schemas.includes(name) ? [name] : [])).toSorted()
  for (const name of others)
    await database.execScript(
      `begin; set local lock_timeout = '2s'; drop schema if exists ${name} cascade; commit;`,
    )
  return others
}

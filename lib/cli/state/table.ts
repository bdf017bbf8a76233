import { rowsOf } from '../../migrations/migrator.ts'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import type { Prints } from './prints.ts'

/** The state of a deployment after a command. It holds no secret. */
export type State = {
  /** Counts the writes. */
  revision: number
  /** When it was written, in ISO 8601; the command and the machine that wrote it. */
  at: string
  by: string
  machine: string
  /** The release whose code the command ran, and its commit, if any. */
  version: string
  commit: string | null
  /** The contents of the deployment's files by name. */
  files: Record<string, unknown>
  /** The fingerprints of secrets.json by name. */
  secrets: Prints
}

/** The number of the advisory lock for creating the table. */
const LOCK = 7_238_110_247

/**
 * Creates the table of one row. Only the owner reads it: PUBLIC and Workers' logins may not use the schema.
 * `json` instead of `jsonb` keeps the order of keys, by which Workers are deployed and compared.
 */
const TABLE = `begin;
  select pg_advisory_xact_lock(${LOCK});
  create schema if not exists drizzle;
  create table if not exists drizzle.state (
    is_only boolean primary key default true check (is_only),
    revision bigint not null, at timestamptz not null, by text not null, machine text not null,
    version text not null, commit text, files json not null, secrets json not null);
  commit;`

/** Reads the state. @returns undefined if no command has written one; release 1.0.0 did not */
export async function readState(database: SqlDatabase): Promise<State | undefined> {
  const [there] = await rowsOf(database, "select to_regclass('drizzle.state')")
  if (there?.[0] == null) return undefined
  const [row] = await rowsOf(database, 'select row_to_json(state) from drizzle.state')
  if (row?.[0] == null) return undefined
  const { is_only: _, at, ...state } = JSON.parse(row[0]) as State & { is_only: true }
  return { ...state, at: new Date(at).toISOString() }
}

/**
 * Replaces the state of the expected revision.
 * @param expected the revision to replace; 0 if there is no state
 * @returns false if the revision has changed; nothing is written then
 */
export async function writeState(database: SqlDatabase, state: State, expected: number): Promise<boolean> {
  const { revision, at, by, machine, version, commit, files, secrets } = state
  if (expected === 0) await database.execScript(TABLE)
  const rows = await rowsOf(
    database,
    `insert into drizzle.state as known (revision, at, by, machine, version, commit, files, secrets)
     values ($2, $3, $4, $5, $6, nullif($7, ''), $8, $9)
     on conflict (is_only) do update set
       (revision, at, by, machine, version, commit, files, secrets) =
       (excluded.revision, excluded.at, excluded.by, excluded.machine, excluded.version, excluded.commit,
        excluded.files, excluded.secrets)
     where known.revision = $1
     returning revision`,
    [
      ...[String(expected), String(revision), at, by, machine, version, commit ?? ''],
      ...[JSON.stringify(files), JSON.stringify(secrets)],
    ],
  )
  return rows.length > 0
}

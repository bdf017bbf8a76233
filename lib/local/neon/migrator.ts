import type { Migration } from './migration-files.ts'
import { type SqlDatabase, SqlError } from './protocol.ts'

/** A number of our own for the advisory lock that two migrations at once meet at. */
const LOCK = 7_238_110_245
/** Somebody else has applied the migration meanwhile. */
const APPLIED = 'AC001'
/** So often a migration that gets no lock is tried, with pauses that double. */
const TRIES = 8
const FIRST_PAUSE_MS = 250

type Pause = (ms: number) => Promise<void>
const pauseFor: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** What a database has had: drizzle-orm's journal, and beside it the backfills that came to their end. */
type Applied = { hashes: Map<string, number>; backfills: Set<string> }

export async function readApplied(database: SqlDatabase): Promise<Applied> {
  const [journal] = await rowsOf(
    database,
    "select to_regclass('drizzle.__drizzle_migrations'), to_regclass('drizzle.backfills')",
  )
  const rows = async (table: string | null | undefined, query: string) =>
    table == null ? [] : rowsOf(database, query)
  const migrations = await rows(journal?.[0], 'select hash, created_at from drizzle.__drizzle_migrations')
  const backfills = await rows(journal?.[1], 'select hash from drizzle.backfills')
  return {
    hashes: new Map(migrations.map(([hash, at]) => [hash ?? '', Number(at)])),
    backfills: new Set(backfills.map(([hash]) => hash ?? '')),
  }
}

/** What a database still has to be given: one that is older than another that it has had, too. */
export const pendingOf = (known: Migration[], { hashes, backfills }: Applied): Migration[] =>
  known.filter(({ hash, backfill }) => !hashes.has(hash) || (backfill !== undefined && !backfills.has(hash)))

/**
 * Applies migrations, each in a transaction of its own that waits two seconds for a lock at most: whoever
 * comes behind a statement that waits waits, too. A backfill runs in batches behind its migration, each a
 * transaction. Killed and run again it goes on.
 */
export async function migrate(database: SqlDatabase, known: Migration[], pause = pauseFor): Promise<void> {
  const applied = await readApplied(database)
  const pending = pendingOf(known, applied)
  if (pending.length === 0) return
  await retried(() => database.execScript(JOURNAL), 'the journal of migrations', pause)
  for (const migration of pending) {
    const { hash, tag, backfill } = migration
    if (!applied.hashes.has(hash)) await retried(() => apply(database, migration), `migration ${tag}`, pause)
    if (backfill === undefined) continue
    for (let changed = 1; changed > 0; )
      changed = await retried(() => runBatch(database, backfill), `backfill ${tag}`, pause)
    await database.execScript(`insert into drizzle.backfills values ('${hash}') on conflict do nothing`)
  }
}

/** Tables as drizzle-orm makes them, and ours. */
const JOURNAL = `begin;
  select pg_advisory_xact_lock(${LOCK});
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
  create table if not exists drizzle.backfills (hash text primary key);
  commit;`

const scriptOf = ({ sql, hash, when }: Migration): string => `begin;
  set local lock_timeout = '2s';
  set local statement_timeout = 0;
  select pg_advisory_xact_lock(${LOCK});
  do $$ begin
    if exists (select from drizzle.__drizzle_migrations where hash = '${hash}') then
      raise exception using errcode = '${APPLIED}', message = 'applied meanwhile';
    end if;
  end $$;
  ${sql}
  ;${recordOf({ hash, when })};
  commit;`

const recordOf = ({ hash, when }: Pick<Migration, 'hash' | 'when'>): string =>
  `insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${when})`

async function apply(database: SqlDatabase, migration: Migration): Promise<void> {
  const { index } = migration
  if (index !== undefined) return database.session((query) => build(query, { ...migration, index }))
  await database.execScript(scriptOf(migration)).catch((error: unknown) => {
    if (codeOf(error) !== APPLIED) throw error
  })
}

/**
 * Builds an index beside reads and writes, which it waits for and which never wait for it. What a build that
 * was killed has left is built anew; one that had only not been written down is kept. Two processes at once
 * must not wait for each other in Postgres: a build waits for every transaction that waits.
 */
async function build(
  query: (text: string) => Promise<(string | null)[][]>,
  { sql, hash, when, index }: Migration & { index: string },
): Promise<void> {
  try {
    await query(`do $$ begin
      if not pg_try_advisory_lock(${LOCK} + 1) then
        raise exception using errcode = 'lock_not_available', message = 'another process builds an index';
      end if;
    end $$`)
    const [known] = await query(`select from drizzle.__drizzle_migrations where hash = '${hash}'`)
    if (known) return
    await query('set statement_timeout = 0')
    await query('set lock_timeout = 0')
    const [left] = await query(
      `select indisvalid from pg_index where indexrelid = to_regclass('public.${index}')`,
    )
    if (left?.[0] === 'f') await query(`drop index concurrently public."${index}"`)
    if (left?.[0] !== 't') await query(sql)
    await query(recordOf({ hash, when }))
  } finally {
    // The session goes back to others.
    await query('discard all').catch(() => {})
  }
}

/** @returns how many rows it has changed */
async function runBatch(database: SqlDatabase, query: string): Promise<number> {
  const limits = ["set local lock_timeout = '2s'", 'set local statement_timeout = 0']
  const statements = [...limits, query].map((one) => ({ query: one, params: [] }))
  return (await database.run(statements)).at(-1)?.rowCount ?? 0
}

/** Tries again what got no lock in time, or met a deadlock. */
async function retried<T>(attempt: () => Promise<T>, what: string, pause: Pause): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (!['55P03', '40P01'].includes(codeOf(error) ?? '')) throw error
      if (tried === TRIES)
        throw new Error(
          `${what} got no lock in ${TRIES} tries: something holds it for long (pg_stat_activity shows what)`,
          { cause: error },
        )
      await pause(FIRST_PAUSE_MS * 2 ** (tried - 1))
    }
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof SqlError ? error.fields.code : undefined

export async function rowsOf(
  database: Pick<SqlDatabase, 'run'>,
  query: string,
  params: string[] = [],
): Promise<(string | null)[][]> {
  return (await database.run([{ query, params }]))[0]?.rows ?? []
}

import type { Migration } from './migration-files.ts'
import { type SqlDatabase, SqlError } from './protocol.ts'

/** The number of the advisory lock that serializes migrations. */
const LOCK = 7_238_110_245
/** The SQLSTATE of a migration that another process has applied meanwhile. */
const APPLIED = 'AC001'
/** How often to try a migration that gets no lock; the pauses double. */
const TRIES = 8
const FIRST_PAUSE_MS = 250

type Pause = (ms: number) => Promise<void>
const pauseFor: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The state of a database: drizzle-orm's journal, and the completed backfills. */
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

/** Returns the migrations that a database lacks, including ones older than an applied one. */
export const pendingOf = (known: Migration[], { hashes, backfills }: Applied): Migration[] =>
  known.filter(({ hash, backfill }) => !hashes.has(hash) || (backfill !== undefined && !backfills.has(hash)))

/**
 * Applies migrations, each in its own transaction. It waits at most two seconds for a lock, because all later
 * statements queue behind a waiting one. A backfill runs after its migration in batches, each a transaction.
 * A run that was killed goes on when it is repeated.
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

/** Creates the tables of drizzle-orm and of the migrator. */
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
 * Builds an index concurrently: it waits for reads and writes, and they never wait for it. It builds a killed
 * build's invalid index again, and only records a complete one. Two processes must not wait for each other in
 * Postgres, since a build waits for every waiting transaction.
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
    // Others use the session afterwards.
    await query('discard all').catch(() => {})
  }
}

/** Runs one batch of a backfill. @returns the number of changed rows */
async function runBatch(database: SqlDatabase, query: string): Promise<number> {
  const limits = ["set local lock_timeout = '2s'", 'set local statement_timeout = 0']
  const statements = [...limits, query].map((one) => ({ query: one, params: [] }))
  return (await database.run(statements)).at(-1)?.rowCount ?? 0
}

/** Repeats an attempt that got no lock in time, or met a deadlock. */
async function retried<T>(attempt: () => Promise<T>, what: string, pause: Pause): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (!['55P03', '40P01'].includes(codeOf(error) ?? '')) throw error
      if (tried === TRIES)
        throw new Error(
          `${what} got no lock in ${TRIES} tries: end the session that holds it (see pg_stat_activity)`,
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

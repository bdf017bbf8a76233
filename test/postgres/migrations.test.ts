import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readMigrations } from '../../lib/migrations/migration-files.ts'
import { applyMigrations, MIGRATIONS, NotYet, planMigrations } from '../../lib/migrations/migrations.ts'
import { migrate, readApplied, rowsOf } from '../../lib/migrations/migrator.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import type { SqlDatabase } from '../../lib/migrations/protocol.ts'
import { dropOtherFunctions, isAtLeast, recordRelease, runningRelease } from '../../lib/migrations/release.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { addDatabase } from '../support/database.ts'
import { untilWaiting } from '../support/locks.ts'
import { migrationsFolder } from '../support/migrations.ts'

async function open() {
  const url = await addDatabase()
  const database = await openPostgres(url)
  onTestFinished(() => database.close())
  return { url, database }
}

const FIRST = { '0000_init': 'create table wallets (address text, name text)' }
const tablesOf = async (database: SqlDatabase) =>
  (
    await rowsOf(database, "select tablename from pg_tables where schemaname = 'public' order by tablename")
  ).flat()
const apply = (database: SqlDatabase, files: Record<string, string>, pause?: () => Promise<void>) =>
  migrate(database, readMigrations(migrationsFolder(files)), pause)

describe('migrations', () => {
  it('describe themselves in their first line', () => {
    const read = (sql: string) => readMigrations(migrationsFolder({ ...FIRST, '0001_next': sql }))
    expect(() => read('drop table wallets')).toThrow('migrations/0001_next.sql must begin with “-- expand”')
    expect(() => read('-- contract\ndrop table wallets')).toThrow('“-- contract from <release>”')
    expect(read('-- contract from 1.2.0\ndrop table wallets')[1]).toMatchObject({ from: '1.2.0' })
    expect(read('-- expand\ncreate table a ()')[1]).not.toHaveProperty('from')
  })

  it('run in a transaction each: earlier ones stay, and a failed one is tried again', async () => {
    const { database } = await open()
    const files = { ...FIRST, '0001_a': '-- expand\ncreate table a ();\nselect 1 / 0;' }
    await expect(apply(database, files)).rejects.toThrow('division by zero')
    expect(await tablesOf(database)).toEqual(['wallets'])
    await apply(database, { ...FIRST, '0001_a': '-- expand\ncreate table a ()' })
    expect(await tablesOf(database)).toEqual(['a', 'wallets'])
  })

  it('of two that are applied at once are applied once', async () => {
    const { database } = await open()
    const files = { ...FIRST, '0001_a': '-- expand\ncreate table a ();\nselect pg_sleep(0.2);' }
    await Promise.all([apply(database, files), apply(database, files), apply(database, files)])
    expect((await readApplied(database)).hashes.size).toBe(2)
  })

  it('give up waiting for a lock, so that nobody waits behind them, and try again', async () => {
    const { url, database } = await open()
    await apply(database, FIRST)
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin; select from wallets')
    const files = { ...FIRST, '0001_b': '-- expand\nalter table wallets add column born integer' }
    let tries = 0
    await apply(database, files, async () => {
      tries++
      // While it pauses, other users of the table do not wait.
      await rowsOf(database, 'select from wallets')
      await holder.query('commit')
    })
    expect(tries).toBe(1)
    await holder.end()
    expect(await rowsOf(database, 'select born from wallets')).toEqual([])
  })

  it('fill in batches outside their transaction, and go on where they were killed', async () => {
    const { database } = await open()
    await apply(database, FIRST)
    await rowsOf(database, 'insert into wallets select i::text from generate_series(1, 50) i')
    const files = {
      ...FIRST,
      '0001_name': '-- expand\nalter table wallets add column label text',
      '0001_name.backfill': `update wallets set label = address where address in
        (select address from wallets where label is null limit 20)`,
    }
    let runs = 0
    const killed: SqlDatabase = {
      ...database,
      run: (statements, ...more) => {
        const isBatch = statements.some(({ query }) => query.startsWith('update wallets'))
        if (isBatch && ++runs === 3) throw new Error('killed')
        return database.run(statements, ...more)
      },
    }
    await expect(apply(killed, files)).rejects.toThrow('killed')
    const unfilled = () => rowsOf(database, 'select count(*) from wallets where label is null')
    expect(await unfilled()).toEqual([['10']])
    await apply(database, files)
    expect(await unfilled()).toEqual([['0']])
    // It has ended, and a later migration of its table does not start it again.
    await rowsOf(database, 'alter table wallets drop column label')
    await apply(database, files)
  })
})

describe('an index that is built concurrently', () => {
  const INDEX = 'create unique index concurrently "wallets_by_name" on wallets (name)'
  const files = { ...FIRST, '0001_index': `-- expand concurrently\n${INDEX};\n` }
  const state = async (database: SqlDatabase) => {
    const rows = await rowsOf(
      database,
      `select indisvalid from pg_index where indexrelid = to_regclass('wallets_by_name')`,
    )
    return [rows.flat(), (await readApplied(database)).hashes.size]
  }
  /** A database in which a transaction that has written to the table goes on. */
  async function openBusy() {
    const { url, database } = await open()
    await apply(database, FIRST)
    const writer = new pg.Client({ connectionString: url })
    await writer.connect()
    onTestFinished(() => writer.end())
    await writer.query(`begin; insert into wallets values ('a', 'a')`)
    return { url, database, writer }
  }

  it('delays no write while it waits for earlier ones', async () => {
    const { url, database, writer } = await openBusy()
    // For these sessions alone, and longer than their other statements take on a busy machine.
    const limited = await openPostgres(`${url}?options=-c%20statement_timeout%3D3000`)
    const building = apply(limited, files)
    await untilWaiting(url, 1)
    await rowsOf(database, `insert into wallets values ('b', 'b')`)
    await writer.query('select pg_sleep(3.2)')
    await writer.query('commit')
    await building
    expect(await state(database)).toEqual([['t'], 2])
    // The session's settings for it are reset.
    expect(await rowsOf(limited, 'show statement_timeout')).toEqual([['3s']])
    expect(await rowsOf(database, `select from pg_locks where locktype = 'advisory'`)).toEqual([])
    await limited.close()
  })

  it('is built again after a killed build, and kept if only its record was lost', async () => {
    const { url, database, writer } = await openBusy()
    const killed = expect(apply(database, files)).rejects.toThrow()
    await untilWaiting(url, 1)
    await writer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like '%concurrently%' and pid <> pg_backend_pid()`,
    )
    await killed
    await writer.query('commit')
    expect(await state(database)).toEqual([['f'], 1])
    await apply(database, files)
    expect(await state(database)).toEqual([['t'], 2])
    await rowsOf(database, 'delete from drizzle.__drizzle_migrations where id = 2')
    await apply(database, files)
    expect(await state(database)).toEqual([['t'], 2])
  })

  it('of two at once is built once, and the other waits outside of Postgres', async () => {
    const { url, database, writer } = await openBusy()
    let pauses = 0
    const building = apply(database, files)
    await untilWaiting(url, 1)
    await apply(database, files, async () => {
      pauses++
      await writer.query('commit')
      await building
    })
    expect([pauses, ...(await state(database))]).toEqual([1, ['t'], 2])
  })

  it('has a migration of its own', () => {
    const read = (sql: string) => readMigrations(migrationsFolder({ ...FIRST, '0001_index': sql }))
    for (const sql of [`${INDEX}; drop table wallets`, 'create index on wallets (name)'])
      expect(() => read(`-- expand concurrently\n${sql}`)).toThrow('must be one “create index concurrently')
  })
})

describe('with running Workers', () => {
  const release = { version: '1.1.0', apiSchema: 'api_0', sources: 's' }
  // What the release's functions and rights need.
  const recorded = Object.fromEntries(
    readMigrations(MIGRATIONS).map(({ tag }) => [tag, readFileSync(join(MIGRATIONS, `${tag}.sql`), 'utf8')]),
  )
  const files = () =>
    migrationsFolder({
      ...recorded,
      '8000_a': '-- expand\ncreate table a (old text, new text)',
      '9000_a': '-- contract from 1.2.0\nalter table a drop column old',
    })
  const columnsOfA = (database: SqlDatabase) =>
    rowsOf(
      database,
      "select attname from pg_attribute where attrelid = to_regclass('a') and attnum > 0 and not attisdropped",
    )

  it('a contracting migration and later ones wait for the release that allows it', async () => {
    const { database } = await open()
    await applyMigrations(database, migrationsFolder(recorded))
    await recordRelease(database, release, new Date())
    const refused = applyMigrations(database, files())
    await expect(refused).rejects.toThrow(
      'Migration 9000_a removes what Workers before release 1.2.0 use, and Workers of release 1.1.0 run: upgrade to 1.2.0 first',
    )
    await expect(refused).rejects.toBeInstanceOf(NotYet)
    expect(await columnsOfA(database)).toEqual([])
    await recordRelease(database, { ...release, version: '1.2.0' }, new Date())
    expect((await planMigrations(database, files())).pending.map(({ tag }) => tag)).toEqual([
      '8000_a',
      '9000_a',
    ])
    await applyMigrations(database, files())
    expect(await columnsOfA(database)).toEqual([['new']])
  })

  it('functions in use do not change; the former release’s stay, older ones go', async () => {
    const { database } = await open()
    await applyMigrations(database)
    await recordRelease(database, { ...release, apiSchema: API_SCHEMA }, new Date())
    await applyMigrations(database)
    await database.execScript(
      `comment on schema ${API_SCHEMA} is 'others'; create schema api_0; create schema api_00`,
    )
    await expect(applyMigrations(database)).rejects.toThrow(`The functions of ${API_SCHEMA} have changed`)
    await recordRelease(database, release, new Date())
    await applyMigrations(database)
    expect(await dropOtherFunctions(database, [API_SCHEMA, 'api_0'])).toEqual(['api_00'])
    expect(await runningRelease(database)).toEqual(release)
  })

  it('versions are compared by their numbers', () => {
    expect(isAtLeast('1.10.0', '1.9.9')).toBe(true)
    expect(isAtLeast('1.2.0', '1.2.0')).toBe(true)
    expect(isAtLeast('1.1.9', '1.2.0')).toBe(false)
    expect(isAtLeast('2.0.0', '1.9.0')).toBe(true)
  })
})

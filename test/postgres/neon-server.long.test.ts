import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { NeonDbError, neon, neonConfig } from '@neondatabase/serverless'
import { DrizzleQueryError, eq, sql as raw } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/neon-http'
import { bigint, jsonb, numeric, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { neonHandler } from '../../lib/local/neon/handler.ts'
import { openPglite } from '../../lib/local/neon/pglite.ts'
import { type NeonServer, serveNeon } from '../../lib/local/neon/server.ts'
import { readMigrations } from '../../lib/migrations/migration-files.ts'
import { migrate } from '../../lib/migrations/migrator.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { type SqlDatabase, SqlError } from '../../lib/migrations/protocol.ts'
import { loginOf } from '../../schema/rights.ts'
import { addDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { migrationsFolder } from '../support/migrations.ts'
import { CONNECTION_STRING, sqlRequest } from '../support/neon.ts'
import { MIXED_TEXT, MIXED_WORDS, textWordsSql } from '../support/text-words.ts'

const accounts = pgTable('accounts', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull().unique(),
  lamports: bigint('lamports', { mode: 'bigint' }).notNull(),
  rating: numeric('rating').notNull(),
  tags: text('tags').array().notNull(),
  profile: jsonb('profile'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

let databaseUrl: string
beforeAll(async () => {
  databaseUrl = await addDatabase()
})

const engines: [string, () => Promise<SqlDatabase>][] = [
  ['PGlite', () => openPglite()],
  ['Postgres', () => openPostgres(databaseUrl)],
]

describe.each(engines)('the Neon server over %s', (_name, open) => {
  let engine: SqlDatabase
  let server: NeonServer

  const { fetchEndpoint } = neonConfig
  beforeAll(async () => {
    engine = await open()
    server = await serveNeon(neonHandler(engine), 0)
  })

  afterAll(async () => {
    // Other test files share the process.
    neonConfig.fetchEndpoint = fetchEndpoint
    await server.close()
    await engine.close()
  })

  beforeEach(async () => {
    neonConfig.fetchEndpoint = server.url
    await engine.execScript('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  })

  const sql = neon(CONNECTION_STRING)
  const full = neon(CONNECTION_STRING, { fullResults: true })
  const arrays = neon(CONNECTION_STRING, { arrayMode: true })

  /** The row count of table t, read outside any transaction of the test. */
  const count = async () => (await arrays`SELECT count(*) FROM t`)[0]?.[0]

  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(server.url, {
      method: 'POST',
      body,
      headers: { 'Neon-Connection-String': CONNECTION_STRING, ...headers },
    })

  test('splits a text into the same words', async () => {
    await engine.execScript(textWordsSql())
    const [row] = await arrays`SELECT string_agg(word, ' ' ORDER BY at) FROM text_words(${MIXED_TEXT})`
    expect(row).toEqual([MIXED_WORDS])
  })

  describe('a login of a group of rights', () => {
    const LOGIN = loginOf('probes', 'a')
    const asLogin = neon(CONNECTION_STRING.replace('nobody', LOGIN), { arrayMode: true })
    const whoAsks = 'SELECT current_user::text'

    beforeEach(() =>
      engine.execScript(`DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${LOGIN}') THEN CREATE ROLE ${LOGIN} LOGIN; END IF;
        END $$;
        CREATE TABLE t (a integer, b integer);
        GRANT USAGE ON SCHEMA public TO ${LOGIN}; GRANT SELECT (a) ON t TO ${LOGIN}`),
    )

    test('has its own rights, alone and in a batch', async () => {
      expect(await asLogin.query(whoAsks)).toEqual([[LOGIN]])
      expect(await asLogin.query('SELECT a FROM t')).toEqual([])
      await expect(asLogin.query('SELECT b FROM t')).rejects.toMatchObject({ code: '42501' })
      await expect(asLogin.query('INSERT INTO t VALUES (1)')).rejects.toMatchObject({ code: '42501' })
      const batch = asLogin.transaction([asLogin.query('SELECT a FROM t'), asLogin.query('DELETE FROM t')])
      await expect(batch).rejects.toMatchObject({ code: '42501' })
    })

    test.each(['SELECT a FROM t', 'SELECT b FROM t', 'SELEC', 'BEGIN', 'SELECT 1 / 0'])(
      'does not affect the owner’s next query, after %s',
      async (statement) => {
        const [[owner] = []] = await arrays.query(whoAsks)
        expect(owner).not.toBe(LOGIN)
        await asLogin.query(statement).catch(() => {})
        expect(await arrays.query(whoAsks)).toEqual([[owner]])
        expect(await asLogin.query(whoAsks)).toEqual([[LOGIN]])
      },
    )

    test('works next to other logins', async () => {
      const [[owner] = []] = await arrays.query(whoAsks)
      const asked = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? arrays : asLogin).query(whoAsks))
      const names = (await Promise.all(asked)).map(([row]) => row?.[0])
      expect(names).toEqual(names.map((_, i) => (i % 2 === 0 ? owner : LOGIN)))
    })
  })

  describe('values', () => {
    test.each([
      ['int8', '9223372036854775807'],
      ['int8', '-9007199254740993'],
      ['numeric', '123456789012345678901234567890.123456789000'],
      ['numeric', 'NaN'],
      ['float8', '0.1'],
      ['timestamptz', '2026-02-03 04:05:06.789012+00'],
      ['timestamptz', 'infinity'],
      ['date', '2026-02-28'],
      ['interval', '1 day 02:03:04.5'],
      ['uuid', '0198c9a0-7d5b-7cc1-8a54-3f1d2c4b5a69'],
      ['text', ''],
      ['text', 'héllo 世界 🦀 "quotes" \\ \' \n\t'],
      ['bool', 't'],
      ['bytea', '\\x00ff10'],
      ['text[]', '{a,NULL,"NULL","","b,c","\\"{}"}'],
      ['int4[]', '{{1,2},{3,4}}'],
      ['jsonb', '{"a": 1.10, "b": [null, true]}'],
    ])('carries %s %s as the text that Postgres sends', async (type, value) => {
      const [result] = await engine.run([{ query: `SELECT $1::${type}`, params: [value] }])
      expect(result?.rows).toEqual([[value]])
    })

    test('reach the driver with their types', async () => {
      const [row] = await sql`SELECT 9007199254740993::int8 AS int8, 1.50::numeric AS numeric, true AS yes,
        false AS no, '\\x0102'::bytea AS bytes, ARRAY['a', NULL, ''] AS texts, ARRAY[1, 2] AS ints,
        '{"a": [1]}'::jsonb AS json, NULL::text AS nothing, '' AS empty`
      expect(row).toEqual({
        int8: '9007199254740993',
        numeric: '1.50',
        yes: true,
        no: false,
        bytes: Buffer.from([1, 2]),
        texts: ['a', null, ''],
        ints: [1, 2],
        json: { a: [1] },
        nothing: null,
        empty: '',
      })
    })

    test('reach the database from JavaScript parameters', async () => {
      const moment = new Date('2026-02-03T04:05:06.789Z')
      const [row] = await sql`SELECT ${null}::text AS nothing, ${1.5}::float8 AS number, ${true}::bool AS yes,
        ${moment}::timestamptz = '2026-02-03 04:05:06.789+00' AS same_moment, ${['a', 'b,"c"', null]}::text[] AS texts,
        ${[1, 2]}::int4[] AS ints, ${{ a: 1 }}::jsonb AS json, ${Buffer.from([0, 255])}::bytea AS bytes`
      expect(row).toEqual({
        nothing: null,
        number: 1.5,
        yes: true,
        same_moment: true,
        texts: ['a', 'b,"c"', null],
        ints: [1, 2],
        json: { a: 1 },
        bytes: Buffer.from([0, 255]),
      })
    })

    test('of a megabyte pass', async () => {
      const long = 'é'.repeat(1_000_000)
      expect(await sql`SELECT ${long}::text AS long, length(${long}) AS length`).toEqual([
        { long, length: 1_000_000 },
      ])
    })
  })

  describe('results', () => {
    test('keep columns of the same name apart in array mode', async () => {
      expect(await arrays`SELECT 1 AS a, 2 AS a, 3 AS b`).toEqual([[1, 2, 3]])
    })

    test('describe their columns', async () => {
      await sql`CREATE TABLE t (id int8 PRIMARY KEY, name varchar(12))`
      const { fields, rows } = await full`SELECT id, name, 1::int4 AS one FROM t`
      expect(rows).toEqual([])
      expect(fields).toEqual([
        expect.objectContaining({ name: 'id', dataTypeID: 20, columnID: 1, dataTypeSize: 8, format: 'text' }),
        expect.objectContaining({ name: 'name', dataTypeID: 1043, columnID: 2, dataTypeModifier: 16 }),
        expect.objectContaining({
          name: 'one',
          dataTypeID: 23,
          tableID: 0,
          columnID: 0,
          dataTypeModifier: -1,
        }),
      ])
      expect(fields[0]?.tableID).toBeGreaterThan(0)
    })

    test('name the command and count its rows', async () => {
      const created = await full`CREATE TABLE t (id int)`
      expect(created).toMatchObject({ command: 'CREATE', rowCount: null, rows: [], fields: [] })
      const inserted = await full`INSERT INTO t VALUES (1), (2), (3) RETURNING id`
      expect(inserted).toMatchObject({
        command: 'INSERT',
        rowCount: 3,
        rows: [{ id: 1 }, { id: 2 }, { id: 3 }],
      })
      expect(await full`UPDATE t SET id = id + 1 WHERE id > 1`).toMatchObject({
        command: 'UPDATE',
        rowCount: 2,
      })
      expect(await full`SELECT FROM t`).toMatchObject({ command: 'SELECT', rowCount: 3, rows: [{}, {}, {}] })
      expect(await full`SELECT * FROM t WHERE false`).toMatchObject({
        command: 'SELECT',
        rowCount: 0,
        rows: [],
      })
      expect(await full`DELETE FROM t RETURNING *`).toMatchObject({ command: 'DELETE', rowCount: 3 })
      expect(await full`DELETE FROM t`).toMatchObject({ command: 'DELETE', rowCount: 0, rows: [] })
      expect(await full.query('')).toMatchObject({ command: '', rowCount: null, rows: [] })
    })
  })

  describe('a batch', () => {
    beforeEach(() => sql`CREATE TABLE t (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)`)

    test('commits whole and answers each statement', async () => {
      const results = await sql.transaction([sql`INSERT INTO t VALUES (${1})`, sql`SELECT id FROM t`])
      expect(results).toEqual([[], [{ id: 1 }]])
      expect(await count()).toBe('1')
    })

    test('of one statement or none is a transaction too', async () => {
      expect(await sql.transaction([sql`INSERT INTO t VALUES (1)`])).toEqual([[]])
      expect(await sql.transaction([])).toEqual([])
      expect(await count()).toBe('1')
    })

    test('rolls back whole when a statement fails', async () => {
      const batch = sql.transaction([
        sql`INSERT INTO t VALUES (1)`,
        sql`SELECT 1 / 0`,
        sql`INSERT INTO t VALUES (2)`,
      ])
      await expect(batch).rejects.toMatchObject({ code: '22012' })
      expect(await count()).toBe('0')
    })

    test('rolls back whole when the commit fails', async () => {
      const batch = sql.transaction([sql`INSERT INTO t VALUES (1)`, sql`INSERT INTO t VALUES (1)`])
      await expect(batch).rejects.toMatchObject({ code: '23505', constraint: 't_pkey' })
      expect(await count()).toBe('0')
    })

    test('that is read-only refuses to write', async () => {
      const batch = sql.transaction([sql`INSERT INTO t VALUES (1)`], { readOnly: true })
      await expect(batch).rejects.toMatchObject({ code: '25006' })
      expect(await sql.transaction([sql`INSERT INTO t VALUES (1)`], { readOnly: false })).toEqual([[]])
      expect(await count()).toBe('1')
    })

    test.each([
      ['ReadUncommitted', 'read uncommitted'],
      ['ReadCommitted', 'read committed'],
      ['RepeatableRead', 'repeatable read'],
      ['Serializable', 'serializable'],
    ] as const)('runs at %s', async (isolationLevel, transaction_isolation) => {
      const options = { isolationLevel, readOnly: true, deferrable: true }
      const modes = sql.transaction(
        [sql`SHOW transaction_isolation`, sql`SHOW transaction_read_only`, sql`SHOW transaction_deferrable`],
        options,
      )
      expect(await modes).toEqual([
        [{ transaction_isolation }],
        [{ transaction_read_only: 'on' }],
        [{ transaction_deferrable: 'on' }],
      ])
      expect(await sql`SHOW transaction_isolation`).toEqual([{ transaction_isolation: 'read committed' }])
    })

    test('is not seen half done by others', async () => {
      const batches = Array.from({ length: 10 }, (_, i) =>
        sql.transaction([sql`INSERT INTO t VALUES (${2 * i})`, sql`INSERT INTO t VALUES (${2 * i + 1})`]),
      )
      const counts = await Promise.all(Array.from({ length: 20 }, count))
      await Promise.all(batches)
      expect(counts.filter((n) => Number(n) % 2 !== 0)).toEqual([])
      expect(await count()).toBe('20')
    })
  })

  describe('an error', () => {
    test('of uniqueness names code, constraint, table and detail', async () => {
      await sql`CREATE TABLE t (id int CONSTRAINT one_each PRIMARY KEY)`
      await sql`INSERT INTO t VALUES (7)`
      const error = await sql`INSERT INTO t VALUES (7)`.catch((error) => error)
      expect(error).toBeInstanceOf(NeonDbError)
      expect(error).toMatchObject({
        message: 'duplicate key value violates unique constraint "one_each"',
        severity: 'ERROR',
        code: '23505',
        constraint: 'one_each',
        schema: 'public',
        table: 't',
        detail: 'Key (id)=(7) already exists.',
      })
    })

    test('of syntax names code and position', async () => {
      await expect(sql`SELECT 1 FRUM t`).rejects.toMatchObject({ code: '42601', position: '15' })
    })

    test('raised by a function names hint, column and type', async () => {
      const raise = `DO $$ BEGIN RAISE 'no' USING ERRCODE = 'AC001', HINT = 'h', COLUMN = 'c', DATATYPE = 'd'; END $$`
      await expect(sql.query(raise)).rejects.toMatchObject({
        code: 'AC001',
        hint: 'h',
        column: 'c',
        dataType: 'd',
      })
    })

    test.each([
      ['a syntax error', 'SELEC'],
      ['a division by zero', 'SELECT 1 / 0'],
      ['two commands in one', 'SELECT 1; SELECT 2'],
      ['a missing parameter', 'SELECT $1::int'],
      ['a NUL in the query', 'SELECT \0 1'],
      ['COPY FROM STDIN', 'COPY (SELECT 1) FROM STDIN'],
      ['COPY into a table', 'COPY t FROM STDIN'],
    ])('leaves the next requests unharmed: %s', async (_case, query) => {
      await sql`CREATE TABLE t (id int)`
      await expect(sql.query(query)).rejects.toBeInstanceOf(NeonDbError)
      await expect(sql.transaction([sql`INSERT INTO t VALUES (1)`, sql.query(query)])).rejects.toThrow(
        NeonDbError,
      )
      expect(await Promise.all([count(), count(), count()])).toEqual(['0', '0', '0'])
    })

    test.each(['BEGIN', 'BEGIN READ ONLY'])('does not come of a %s that nobody ends', async (query) => {
      await sql`CREATE TABLE t (id int)`
      await sql.query(query)
      await Promise.all(Array.from({ length: 12 }, (_, i) => sql`INSERT INTO t VALUES (${i})`))
      expect(await count()).toBe('12')
    })
  })

  test.each(['BEGIN; INSERT INTO t VALUES (1)', 'BEGIN; SELECT 1 / 0; COMMIT', 'COPY t FROM STDIN'])(
    'a script that goes wrong leaves the next requests unharmed: %s',
    async (script) => {
      await sql`CREATE TABLE t (id int)`
      const error = await engine.execScript(script).catch((error) => error)
      expect(error === undefined || error instanceof SqlError).toBe(true)
      expect(await count()).toBe('0')
    },
  )

  test('30 requests at once each get their own answer', async () => {
    const numbers = Array.from({ length: 30 }, (_, i) => i)
    const answers = await Promise.all(
      numbers.map((i) =>
        i % 3 === 0 ? sql`SELECT 1 / ${0}::int`.catch((e) => e.code) : sql`SELECT ${i}::int AS i`,
      ),
    )
    expect(answers).toEqual(numbers.map((i) => (i % 3 === 0 ? '22012' : [{ i }])))
  })

  describe('drizzle', () => {
    const db = drizzle({ client: neon(CONNECTION_STRING) })
    const row = {
      id: '0198c9a0-7d5b-7cc1-8a54-3f1d2c4b5a69',
      name: 'Ada',
      lamports: 18_014_398_509_481_985n,
      rating: '4.750',
      tags: ['a', 'b c'],
      profile: { url: 'https://example.test/ü' },
      createdAt: new Date('2026-02-03T04:05:06.789Z'),
    }

    beforeEach(
      () => sql`CREATE TABLE accounts (id uuid PRIMARY KEY, name text NOT NULL UNIQUE, lamports int8 NOT NULL,
        rating numeric NOT NULL, tags text[] NOT NULL, profile jsonb, created_at timestamptz NOT NULL)`,
    )

    test('writes and reads rows', async () => {
      expect(await db.insert(accounts).values(row).returning()).toEqual([row])
      await db.update(accounts).set({ profile: null }).where(eq(accounts.name, 'Ada'))
      expect(await db.select().from(accounts)).toEqual([{ ...row, profile: null }])
      expect((await db.delete(accounts)).rowCount).toBe(1)
    })

    test('batches', async () => {
      const [inserted, selected, executed] = await db.batch([
        db.insert(accounts).values(row).returning({ id: accounts.id }),
        db.select({ name: accounts.name, lamports: accounts.lamports }).from(accounts),
        db.execute(raw`SELECT 1 AS one`),
      ])
      expect(inserted).toEqual([{ id: row.id }])
      expect(selected).toEqual([{ name: row.name, lamports: row.lamports }])
      expect(executed.rows).toEqual([{ one: 1 }])
      const again = db.batch([db.delete(accounts), db.insert(accounts).values([row, row])])
      await expect(again).rejects.toMatchObject({ code: '23505' })
      expect(await db.$count(accounts)).toBe(1)
    })

    test('reports the database error as the cause', async () => {
      await db.insert(accounts).values(row)
      const error = await db
        .insert(accounts)
        .values(row)
        .catch((error) => error)
      expect(error).toBeInstanceOf(DrizzleQueryError)
      expect(error.cause).toMatchObject({ code: '23505', constraint: 'accounts_pkey' })
    })
  })

  test('migrates once, also twice', async () => {
    await engine.execScript('DROP SCHEMA IF EXISTS drizzle CASCADE')
    const folder = await migrations(
      'CREATE TABLE t (id int);\n--> statement-breakpoint\nINSERT INTO t VALUES (1);',
    )
    await migrate(engine, readMigrations(folder))
    await migrate(engine, readMigrations(folder))
    expect(await count()).toBe('1')
    const index = '-- expand concurrently\ncreate index concurrently "t_by_id" on t (id);'
    await migrate(engine, readMigrations(migrationsFolder({ '0000_none': '', '0001_index': index }, 2)))
    const valid = "select indisvalid from pg_index where indexrelid = to_regclass('t_by_id')"
    expect((await engine.run([{ query: valid, params: [] }]))[0]?.rows).toEqual([['t']])
  })

  test('keeps requests out of a migration that fails', async () => {
    await engine.execScript('DROP SCHEMA IF EXISTS drizzle CASCADE; CREATE TABLE t (id int)')
    const insert = 'INSERT INTO t VALUES (1);\n--> statement-breakpoint\n'
    const folder = await migrations(`${insert.repeat(30)}SELECT 1 / 0;`)
    let settled = false
    const migration = migrate(engine, readMigrations(folder)).catch((error) => error)
    migration.finally(() => {
      settled = true
    })
    let requests = 0
    for (; !settled; requests++) await engine.run([{ query: 'INSERT INTO t VALUES (2)', params: [] }])
    expect(await migration).toBeInstanceOf(Error)
    expect(await count()).toBe(String(requests))
  })

  describe('a malformed request', () => {
    test.each([
      ['no JSON', '{', 'The body is not JSON'],
      ['null', 'null', 'body: '],
      ['no query', '{"params": []}', 'query: '],
      ['a parameter that is no string', '{"query": "SELECT $1", "params": [1]}', 'params.0: '],
      ['queries that are no list', '{"queries": {}}', 'queries: '],
      ['a query in the batch without text', '{"queries": [{"query": 1}]}', 'queries.0.query: '],
    ])('is refused: %s', async (_case, body, message) => {
      const response = await post(body)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ message: expect.stringContaining(message) })
    })

    test.each([
      ['Neon-Batch-Isolation-Level', 'Serializable; DROP SCHEMA public'],
      ['Neon-Batch-Isolation-Level', 'constructor'],
      ['Neon-Batch-Read-Only', 'yes'],
      ['Neon-Array-Mode', 'false'],
    ])('is refused: %s: %s', async (header, value) => {
      const response = await post('{"queries": []}', { [header]: value })
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ message: expect.stringContaining(header) })
    })

    test('is refused: no connection string, as from a foreign web page', async () => {
      const response = await fetch(server.url, { method: 'POST', body: '{"query": "SELECT 1"}' })
      expect(response.status).toBe(400)
    })

    test('is refused: another path or method', async () => {
      const elsewhere = await fetch(new URL('/', server.url), { method: 'POST' })
      expect(elsewhere.status).toBe(404)
      expect((await fetch(server.url)).status).toBe(405)
    })
  })
})

describe('the Postgres engine', () => {
  const SELECT = [{ query: 'SELECT 1', params: [] }]

  test('answers as Neon’s proxy, without the password, when the server is down', async () => {
    const down = await openPostgres('postgres://user:hunter2@127.0.0.1:1/database')
    onTestFinished(() => down.close())
    const response = await neonHandler(down)(sqlRequest('SELECT 1'))
    expect(response.status).toBe(500)
    const message = "Couldn't connect to compute node: Database unavailable (ECONNREFUSED)"
    expect(await response.json()).toMatchObject({ message, code: '', detail: null })
  })

  test('answers as Neon’s proxy, without the password, when it is wrong', async () => {
    const url = new URL(databaseUrl)
    url.password = 'hunter2'
    const refused = await openPostgres(url.href)
    onTestFinished(() => refused.close())
    const response = await neonHandler(refused)(sqlRequest('SELECT 1'))
    expect(response.status).toBe(500)
    const message = "Couldn't connect to compute node: Database unavailable (28P01)"
    expect(await response.json()).toMatchObject({ message, code: '', detail: null })
  })

  /** An engine that reaches Postgres through a relay; answer passes on what Postgres sends. */
  const openRelayed = async (answer: (upstream: Socket, client: Socket) => void) => {
    const url = new URL(databaseUrl)
    const port = Number(url.port)
    const relay = createServer({ noDelay: true }, (client) => {
      const upstream = connect(port, url.hostname)
      for (const side of [client, upstream]) side.on('error', () => {})
      client.pipe(upstream)
      answer(upstream, client)
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    onTestFinished(() => void relay.close())
    const address = relay.address()
    url.port = String(typeof address === 'object' && address?.port)
    const engine = await openPostgres(url.href)
    onTestFinished(() => engine.close())
    return engine
  }

  test('leaves a failed script’s transaction, also when Postgres reports it late', async () => {
    const READY_FOR_QUERY_BYTES = 6
    const engine = await openRelayed((upstream, client) => {
      upstream.on('data', async (data) => {
        upstream.pause()
        client.write(data.subarray(0, -READY_FOR_QUERY_BYTES))
        await setTimeout(20)
        client.write(data.subarray(-READY_FOR_QUERY_BYTES))
        upstream.resume()
      })
    })
    for (const query of ['SELECT 1 / 0', 'SELEC']) {
      await expect(engine.execScript(`BEGIN; ${query}; COMMIT`)).rejects.toThrow(SqlError)
      expect(await engine.run(SELECT)).toMatchObject([{ rows: [['1']] }])
    }
  })

  test('survives a connection that breaks under a running statement', async () => {
    const clients: Socket[] = []
    const engine = await openRelayed((upstream, client) => {
      clients.push(client)
      upstream.pipe(client)
    })

    await engine.run(SELECT)
    const running = neonHandler(engine)(sqlRequest('SELECT pg_sleep(60)'))
    const isRunning =
      "select 1 from pg_stat_activity where query = 'SELECT pg_sleep(60)' and state = 'active'"
    const watcher = await openPostgres(databaseUrl)
    onTestFinished(() => watcher.close())
    await expect
      .poll(() => watcher.run([{ query: isRunning, params: [] }]))
      .toMatchObject([{ rows: [['1']] }])
    for (const client of clients) client.destroy()
    const answer = await running
    expect(answer.status).toBe(400)
    const message = 'connection closed: Database unavailable'
    expect(await answer.json()).toMatchObject({ message, code: '', detail: null })
    expect(await engine.run(SELECT)).toMatchObject([{ rows: [['1']] }])
  })

  test('survives sessions that the server ends, idle or at work', async () => {
    const engine = await openPostgres(databaseUrl)
    onTestFinished(() => engine.close())
    const own = { query: 'SELECT pg_terminate_backend(pg_backend_pid())', params: [] }
    const ended = { fields: { code: '57P01' } }
    await expect(engine.run([own])).rejects.toMatchObject(ended)
    await expect(engine.run([...SELECT, own, ...SELECT])).rejects.toMatchObject(ended)
    expect(await engine.run(SELECT)).toMatchObject([{ rows: [['1']] }])
    const others = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
    await Promise.allSettled([
      engine.run(SELECT),
      engine.run(SELECT),
      engine.run([{ query: others, params: [] }]),
    ])
    await expect.poll(() => engine.run(SELECT)).toMatchObject([{ rows: [['1']] }])
  })
})

test('a taken port is an error that names it', async () => {
  const server = await serveNeon(async () => new Response(), 0)
  onTestFinished(() => server.close())
  const { port } = new URL(server.url)
  await expect(serveNeon(async () => new Response(), Number(port))).rejects.toThrow(
    `port ${port}: EADDRINUSE`,
  )
})

/** A folder as drizzle-kit writes it, with one migration. */
async function migrations(script: string): Promise<string> {
  const folder = temporaryFolder()
  const entry = { idx: 0, version: '7', when: 1, tag: '0000_first', breakpoints: true }
  const journal = { version: '7', dialect: 'postgresql', entries: [entry] }
  await mkdir(join(folder, 'meta'))
  await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify(journal))
  await writeFile(join(folder, '0000_first.sql'), script)
  return folder
}

import { neonConfig } from '@neondatabase/serverless'
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { connect, type Db } from '../../lib/db/connect.ts'
import { neonHandler } from '../../lib/local/neon/handler.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import type { SqlDatabase } from '../../lib/migrations/protocol.ts'
import { TEMPLATE } from './global-setup.ts'
import { type Recorder, recordingHandler } from './upgrade/recorder.ts'

type Database = Awaited<ReturnType<typeof createDatabase>>

/** The Postgres of this vitest worker. */
function serverUrl(): string {
  const server = inject('postgresUrls')[Number(process.env.VITEST_POOL_ID) - 1]
  if (!server) throw new Error('This vitest worker has no Postgres')
  return server
}

async function onServer(...statements: string[]): Promise<void> {
  const maintenance = await openPostgres(serverUrl())
  try {
    for (const statement of statements) await maintenance.execScript(statement)
  } finally {
    await maintenance.close()
  }
}

/** Of two strategies the faster one, where nothing is flushed to the disk. */
const creation = (name: string, template: string) =>
  `create database "${name}" template "${template}" strategy file_copy`

/** Returns a name that nothing else on the server has: a drawn one comes back when a file is run again. */
const newName = () => `test_${process.pid}_${process.hrtime.bigint()}`

/** Creates a database on the Postgres of this vitest worker. Returns its URL. */
export async function addDatabase(template = 'template1'): Promise<string> {
  const name = newName()
  await onServer(creation(name, template))
  return new URL(`/${name}`, serverUrl()).href
}

/** Replaces a database by a copy of another one, and disconnects its sessions. */
export async function replaceDatabase(url: string, other: string): Promise<void> {
  const [name = '', template = ''] = [url, other].map((one) => new URL(one).pathname.slice(1))
  await onServer(`drop database "${name}" with (force)`, creation(name, template))
}

/**
 * A database of its own on the real Postgres, with all migrations applied. A copy of it, as it is, can take
 * its place later: a backup that is restored.
 * @param recorder is shown what is sent to the database
 */
export async function createDatabase(recorder?: Recorder) {
  let url = await addDatabase(TEMPLATE)
  let engine = await openPostgres(url)
  const handlerOf = (engine: SqlDatabase) =>
    recorder ? recordingHandler(recorder, engine, neonHandler(engine)) : neonHandler(engine)
  let answer = handlerOf(engine)
  const goOnWith = async (other: string) => {
    url = other
    engine = await openPostgres(url)
    answer = handlerOf(engine)
  }
  return {
    get url() {
      return url
    },
    get engine() {
      return engine
    },
    handler: (request: Request) => answer(request),
    close: () => engine.close(),
    /** @returns the copy's URL */
    async copy(): Promise<string> {
      // Nobody may be connected to what is copied.
      await engine.close()
      const copy = await addDatabase(new URL(url).pathname.slice(1))
      await goOnWith(url)
      return copy
    },
    async restore(copy: string): Promise<void> {
      await engine.close()
      await goOnWith(copy)
    },
  }
}

/** The production client with Drizzle's own queries, for tests to arrange and look. */
export type DrizzleDb = Db & NeonHttpDatabase

export const drizzleOver = ({ $client }: Db): DrizzleDb => drizzle({ client: $client })

/** Answers in this process what is sent to test databases. */
const answers = new Map<string, Database['handler']>()
const { fetch } = globalThis

/** Through a socket a statement would cost several times what Postgres needs for it. */
const fetchInProcess: typeof fetch = async (input, init) => {
  const answer = typeof input === 'string' ? answers.get(input) : undefined
  // Without the driver's time limit: a busy machine answers later than it allows.
  return answer ? answer(new Request(input, { ...init, signal: null })) : fetch(input, init)
}

/**
 * A database for tests of SQL: the production client, over the Neon server's handler, to the real Postgres.
 */
export async function connectDatabase() {
  const database = await createDatabase()
  const url = `http://${newName()}.internal/sql`
  const { fetchEndpoint } = neonConfig
  answers.set(url, database.handler)
  globalThis.fetch = fetchInProcess
  neonConfig.fetchEndpoint = url
  return {
    db: drizzleOver(connect('postgresql://test:test@db.test.internal/test')),
    url: database.url,
    engine: database.engine,
    close: async () => {
      // Other test files share the process.
      neonConfig.fetchEndpoint = fetchEndpoint
      answers.delete(url)
      if (answers.size === 0) globalThis.fetch = fetch
      await database.close()
    },
  }
}

/** Such a database for all tests of a file, and what they ask it past the production client. */
export function useDatabase() {
  let database: Awaited<ReturnType<typeof connectDatabase>>
  let pool: pg.Pool
  beforeAll(async () => {
    database = await connectDatabase()
    pool = new pg.Pool({ connectionString: database.url })
  })
  afterAll(async () => {
    await pool?.end()
    await database?.close()
  })
  return {
    get db() {
      return database.db
    },
    get url() {
      return database.url
    },
    get engine() {
      return database.engine
    },
    get pool() {
      return pool
    },
    /** The rows by their columns' names. */
    query: async (text: string, ...params: unknown[]) => (await pool.query(text, params)).rows,
    /** The rows as Postgres' text. */
    rows: async (query: string, ...params: string[]) =>
      (await database.engine.run([{ query, params }]))[0]?.rows ?? [],
  }
}

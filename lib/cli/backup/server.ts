import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../migrations/migrator.ts'
import { openPostgres } from '../../migrations/postgres.ts'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import { RetryableError } from '../setup/errors.ts'

const PAUSE_MS = 1_000

/**
 * Works with a database over its direct URL, once it answers. A new or sleeping database takes a while.
 * @throws RetryableError if it does not answer in time
 */
export async function withAwake<T>(
  url: string,
  timeoutMs: number,
  work: (database: SqlDatabase, version: number) => Promise<T>,
): Promise<T> {
  for (const until = Date.now() + timeoutMs; ; await sleep(PAUSE_MS)) {
    const database = await openPostgres(url)
    try {
      const version = await versionOf(database).catch((cause: unknown) => {
        if (Date.now() < until) return undefined
        const message = 'The database accepts no connections: check it in Neon’s console.'
        throw new RetryableError(message, { cause })
      })
      if (version !== undefined) return await work(database, version)
    } finally {
      await database.close()
    }
  }
}

async function versionOf(database: SqlDatabase): Promise<number> {
  const [row] = await rowsOf(database, "select current_setting('server_version_num')::int / 10000")
  return Number(row?.[0])
}

/** The schemas of a backup: the service's and its tools', without a provider's. */
export const SCHEMAS = ['public', 'drizzle', 'api_*']

/** Returns whether a database has no data of a deployment yet. */
export async function isEmpty(database: SqlDatabase): Promise<boolean> {
  const [row] = await rowsOf(
    database,
    `select exists (select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname in ('public', 'drizzle') or nspname ~ '^api_')`,
  )
  return row?.[0] !== 't'
}

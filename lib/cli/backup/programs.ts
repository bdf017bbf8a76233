import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '../setup/errors.ts'

/** The folders of each version's programs on Debian and Homebrew. PATH has one version only. */
const FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/opt/homebrew/opt/{libpq,postgresql@*}/bin',
  '/usr/local/opt/{libpq,postgresql@*}/bin',
]

/** The oldest Postgres version of a deployment's server (DECISIONS.md). */
export const OLDEST = 17

/** pg_dump and pg_restore of one version of Postgres. */
type Programs = { dump: string; restore: string; version: number }

/**
 * Finds the newest pg_dump and pg_restore of this machine.
 * @param env PG_BIN names the only folder to search
 * @param server the server's major version; an older pg_dump does not read it
 * @throws CommandError that says what to install
 */
export async function findPrograms(
  { PG_BIN, PATH = '' }: NodeJS.ProcessEnv,
  server: number,
): Promise<Programs> {
  const folders = PG_BIN ? [PG_BIN] : [...PATH.split(delimiter), ...globSync(FOLDERS)]
  const found = await Promise.all([...new Set(folders)].map(programsIn))
  const [newest] = found.flat().toSorted((one, other) => other.version - one.version)
  if (newest !== undefined && newest.version >= server) return newest
  const what = newest
    ? `${newest.dump} has version ${newest.version}, but the database server has version ${server}`
    : `There is no pg_dump in ${PG_BIN ?? 'PATH'}`
  throw new CommandError(
    `${what}: install postgresql-client-${server} (Debian and Ubuntu: apt-get install postgresql-client-${server}, from https://apt.postgresql.org if the release only has older ones; macOS: brew install libpq), or set PG_BIN to its folder.`,
  )
}

async function programsIn(folder: string): Promise<Programs[]> {
  const [dump = '', restore = ''] = ['pg_dump', 'pg_restore'].map((name) => join(folder, name))
  if (!existsSync(dump) || !existsSync(restore)) return []
  const { stdout } = await promisify(execFile)(dump, ['--version']).catch(() => ({ stdout: '' }))
  const version = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1])
  return version > 0 ? [{ dump, restore, version }] : []
}

/**
 * Returns the environment of such a program: the connection, in UTC. So the password is on no command line,
 * and in no URL that an error could repeat.
 * @param url a connection string with Neon's query parameters
 */
export function libpqEnv(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const mode = searchParams.get('sslmode')
  // As our own driver does. Otherwise a server in between could read the whole database.
  const isVerified = mode !== null && mode !== 'disable'
  const binding = searchParams.get('channel_binding')
  return {
    PATH: process.env.PATH ?? '',
    TZ: 'UTC',
    LC_ALL: 'C',
    PGHOST: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGAPPNAME: 'agentcred backup',
    PGCONNECT_TIMEOUT: '60',
    ...(isVerified && { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'system' }),
    ...(binding !== null && { PGCHANNELBINDING: binding }),
  }
}

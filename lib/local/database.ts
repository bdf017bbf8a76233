import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { applyMigrations, functionsHash, MIGRATIONS, UnknownMigration } from '../migrations/migrations.ts'
import { openPostgres } from '../migrations/postgres.ts'
import type { SqlDatabase } from '../migrations/protocol.ts'
import { BUILT_FOLDER, runTool } from './build.ts'
import { neonHandler } from './neon/handler.ts'
import { openPglite } from './neon/pglite.ts'
import type { Outbound } from './workers/outbound.ts'

/** The database, and the Workers' connection to it. */
type LocalDatabase = {
  /** A description for people: its kind and place, without the password. */
  description: string
  /** Whether this run made it: then nothing in it can be refused. */
  isNew: boolean
  /** DATABASE_URL of the Workers. */
  url: string
  /**
   * Settles when it is open: to a handler of Neon's SQL over HTTP, or to undefined if the Workers call Neon
   * itself.
   */
  opened: Promise<Handler | undefined>
  /** Answers once it is open. */
  outbound: Outbound
  close(): Promise<void>
}

type Handler = (request: Request) => Promise<Response>

/**
 * A host name inside the platform only. The driver turns it into https://api.agentcred.internal/sql.
 */
const EMBEDDED_URL = 'postgresql://agentcred:agentcred@db.agentcred.internal/agentcred'
const EMBEDDED_API_HOST = 'api.agentcred.internal'

const NEON_HOST = /(^|\.)neon\.(tech|build)$/

type Options = {
  folder: string
  databaseUrl?: string | undefined
  /** Called at the beginning of a slow step. */
  say?: (doing: string) => void
}

/**
 * Opens the platform's database and applies all migrations: the embedded one in `folder`, or the one of
 * `databaseUrl`. Unless that is Neon's own, the same Neon server serves it, over the Postgres protocol.
 * Returns immediately. `opened` rejects with an Error that names the database, without the password. It
 * refuses a database of an unreleased version unchanged (lib/migrations/migrations.ts).
 */
export function openDatabase(options: Options): LocalDatabase {
  const { folder, databaseUrl } = options
  const description = describe(databaseUrl, folder)
  const isNew = databaseUrl === undefined && !existsSync(folder)
  const engine = migrated(options)
  if (databaseUrl !== undefined && isNeon(databaseUrl)) {
    const apiHost = new URL(databaseUrl).hostname.replace(/^[^.]+/, 'api')
    const opened = engine.then((database) => database.close())
    return {
      description,
      isNew,
      url: databaseUrl,
      opened: opened.then(() => undefined),
      outbound: (request) =>
        new URL(request.url).hostname === apiHost ? opened.then(() => fetch(request)) : undefined,
      close: async () => {},
    }
  }
  const opened = engine.then(neonHandler)
  return {
    description,
    isNew,
    url: EMBEDDED_URL,
    opened,
    outbound: (request) =>
      new URL(request.url).hostname === EMBEDDED_API_HOST
        ? opened.then((handler) => handler(request))
        : undefined,
    close: () =>
      engine.then(
        (database) => database.close(),
        // A database that did not open needs no closing.
        () => {},
      ),
  }
}

async function migrated({ folder, databaseUrl, say }: Options): Promise<SqlDatabase> {
  const engine = databaseUrl === undefined ? await openEmbedded(folder, say) : await openPostgres(databaseUrl)
  try {
    await applyMigrations(engine)
    return engine
  } catch (cause) {
    await engine.close()
    if (cause instanceof UnknownMigration && databaseUrl === undefined)
      throw new Error(
        `an unreleased version of AgentCred made the database in ${folder}, which can't be migrated: ` +
          'run npm run dev -- --fresh',
      )
    throw new Error(`the migrations can't be applied to ${describe(databaseUrl, folder)}`, { cause })
  }
}

/** Opens the database of a folder; copies the template for a new one. */
async function openEmbedded(folder: string, say: Options['say']): Promise<SqlDatabase> {
  if (!existsSync(folder)) {
    const copy = `${folder}.new`
    await rm(copy, { recursive: true, force: true })
    await cp(await databaseTemplate(say), copy, { recursive: true })
    await rename(copy, folder)
  }
  return openPglite(folder)
}

/** Returns whether a URL is Neon's: the Workers call it over HTTP then. */
export const isNeon = (databaseUrl: string): boolean => NEON_HOST.test(new URL(databaseUrl).hostname)

function describe(databaseUrl: string | undefined, folder: string): string {
  if (databaseUrl === undefined) return `embedded Postgres (PGlite) in ${folder}`
  const { host, pathname } = new URL(databaseUrl)
  return `${isNeon(databaseUrl) ? 'Neon' : 'Postgres'} at ${host}${pathname}`
}

const ROOT = join(import.meta.dirname, '../..')

/**
 * Returns a PGlite folder with the migrations applied, to copy. It is made once for each state of migrations
 * and functions, since PGlite needs seconds and 300 MB to initialise a database.
 */
async function databaseTemplate(say: Options['say']): Promise<string> {
  const hash = createHash('sha256').update(
    readFileSync(join(ROOT, 'node_modules/@electric-sql/pglite/package.json')),
  )
  hash.update(functionsHash())
  for (const file of globSync('**/*', { cwd: MIGRATIONS, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort())
    hash.update(`\0${file}\0`).update(readFileSync(file))
  const folder = join(BUILT_FOLDER, `postgres-${hash.digest('hex').slice(0, 16)}`)
  if (!existsSync(folder)) {
    say?.('making the database')
    await runTool('neon/template-process.ts', folder)
  }
  return folder
}

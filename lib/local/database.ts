import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BUILT_FOLDER, runTool } from './build.ts'
import { neonHandler } from './neon/handler.ts'
import { applyMigrations, functionsHash, MIGRATIONS, UnknownMigration } from './neon/migrations.ts'
import { openPglite } from './neon/pglite.ts'
import { openPostgres } from './neon/postgres.ts'
import type { SqlDatabase } from './neon/protocol.ts'
import type { Outbound } from './workers/outbound.ts'

/** The database, and how the Workers reach it. */
type LocalDatabase = {
  /** What it is and where, for a person to read; without the password. */
  description: string
  /** Whether there was none before, so that nothing in it can be refused. */
  isNew: boolean
  /** DATABASE_URL of the Workers. */
  url: string
  /**
   * Settles when it is open, to what speaks Neon's SQL over HTTP; to undefined when the Workers talk to Neon
   * itself.
   */
  opened: Promise<Handler | undefined>
  /** Answers once it is open. */
  outbound: Outbound
  close(): Promise<void>
}

type Handler = (request: Request) => Promise<Response>

/**
 * A name that exists only inside the platform: the driver turns it into https://api.agentcred.internal/sql.
 */
const EMBEDDED_URL = 'postgresql://agentcred:agentcred@db.agentcred.internal/agentcred'
const EMBEDDED_API_HOST = 'api.agentcred.internal'

const NEON_HOST = /(^|\.)neon\.(tech|build)$/

type Options = {
  folder: string
  databaseUrl?: string | undefined
  /** Is told what takes a while. */
  say?: (doing: string) => void
}

/**
 * Opens the platform's database with all migrations applied: the embedded one in `folder`, or the one of
 * `databaseUrl`, which is reached over the Postgres protocol behind the same Neon server unless it is
 * Neon's own. It returns at once; `opened` rejects with an Error that names the database that cannot be
 * opened, without the password. One that an unreleased version made is refused as it is (neon/migrations.ts).
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
        // What can't be opened needs no closing.
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
        `an unreleased version of AgentCred made the database in ${folder}, whose data is not migrated: ` +
          'run npm run dev -- --fresh',
      )
    throw new Error(`the migrations can't be applied to ${describe(databaseUrl, folder)}`, { cause })
  }
}

/** Opens the database of a folder, a new one as a copy of the template. */
async function openEmbedded(folder: string, say: Options['say']): Promise<SqlDatabase> {
  if (!existsSync(folder)) {
    const copy = `${folder}.new`
    await rm(copy, { recursive: true, force: true })
    await cp(await databaseTemplate(say), copy, { recursive: true })
    await rename(copy, folder)
  }
  return openPglite(folder)
}

/** Tells whether the URL is one of Neon's, which the Workers can call themselves over HTTP. */
export const isNeon = (databaseUrl: string): boolean => NEON_HOST.test(new URL(databaseUrl).hostname)

function describe(databaseUrl: string | undefined, folder: string): string {
  if (databaseUrl === undefined) return `embedded Postgres (PGlite) in ${folder}`
  const { host, pathname } = new URL(databaseUrl)
  return `${isNeon(databaseUrl) ? 'Neon' : 'Postgres'} at ${host}${pathname}`
}

const ROOT = join(import.meta.dirname, '../..')

/**
 * Returns a folder of PGlite's with the migrations applied, to be copied. It is made once for each state of
 * the migrations and functions, since to initialise a database takes PGlite seconds and 300 MB.
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

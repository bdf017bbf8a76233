import { existsSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { neonHandler } from './neon/handler.ts'
import { openPglite } from './neon/pglite.ts'
import { openPostgres } from './neon/postgres.ts'
import type { SqlDatabase } from './neon/protocol.ts'
import { databaseTemplate, MIGRATIONS } from './neon/template.ts'
import type { Outbound } from './workers.ts'

/** The database, and how the Workers reach it. */
export type LocalDatabase = {
  /** What it is and where, for a person to read; without the password. */
  description: string
  /** DATABASE_URL of the Workers. */
  url: string
  /** Speaks Neon's SQL over HTTP; absent when the Workers talk to Neon itself. */
  handler?: (request: Request) => Promise<Response>
  outbound: Outbound
  close(): Promise<void>
}

/**
 * A name that exists only inside the platform: the driver turns it into https://api.agentcred.internal/sql.
 */
const EMBEDDED_URL = 'postgresql://agentcred:agentcred@db.agentcred.internal/agentcred'
const EMBEDDED_API_HOST = 'api.agentcred.internal'

const NEON_HOST = /(^|\.)neon\.(tech|build)$/

/**
 * Opens the platform's database with all migrations applied: the embedded one in `folder`, or the one of
 * `databaseUrl`, which is reached over the Postgres protocol behind the same Neon endpoint unless it is
 * Neon's own.
 * @throws Error that names the database that cannot be opened, without the password
 */
export async function openDatabase(options: {
  folder: string
  databaseUrl?: string | undefined
}): Promise<LocalDatabase> {
  const { folder, databaseUrl } = options
  const engine = databaseUrl === undefined ? await openEmbedded(folder) : await openPostgres(databaseUrl)
  try {
    await engine.migrate(MIGRATIONS)
  } catch (cause) {
    await engine.close()
    throw new Error(`the migrations can't be applied to ${describe(databaseUrl, folder)}`, { cause })
  }
  if (databaseUrl !== undefined && isNeon(databaseUrl)) {
    await engine.close()
    const apiHost = new URL(databaseUrl).hostname.replace(/^[^.]+/, 'api')
    return {
      description: describe(databaseUrl, folder),
      url: databaseUrl,
      outbound: (request) => (new URL(request.url).hostname === apiHost ? fetch(request) : undefined),
      close: async () => {},
    }
  }
  const handler = neonHandler(engine)
  return {
    description: describe(databaseUrl, folder),
    url: EMBEDDED_URL,
    handler,
    outbound: (request) =>
      new URL(request.url).hostname === EMBEDDED_API_HOST ? handler(request) : undefined,
    close: () => engine.close(),
  }
}

/** Opens the database of a folder, a new one as a copy of the template. */
async function openEmbedded(folder: string): Promise<SqlDatabase> {
  if (!existsSync(folder)) {
    const copy = `${folder}.new`
    await rm(copy, { recursive: true, force: true })
    await cp(await databaseTemplate(), copy, { recursive: true })
    await rename(copy, folder)
  }
  return openPglite(folder)
}

/** Tells whether the URL is one of Neon's, whose HTTP endpoint the Workers can call themselves. */
export const isNeon = (databaseUrl: string): boolean => NEON_HOST.test(new URL(databaseUrl).hostname)

function describe(databaseUrl: string | undefined, folder: string): string {
  if (databaseUrl === undefined) return `embedded Postgres (PGlite) in ${folder}`
  const { host, pathname } = new URL(databaseUrl)
  return `${isNeon(databaseUrl) ? 'Neon' : 'Postgres'} at ${host}${pathname}`
}

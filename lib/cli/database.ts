import { connect, type Db } from '../db/connect.ts'
import { outageReason } from '../db/failures.ts'
import { isNeon } from '../local/database.ts'
import { neonHandler } from '../local/neon/handler.ts'
import { connectThrough, serveNeon } from '../local/neon/server.ts'
import { readSettings } from '../local/settings.ts'
import { readState } from '../local/state.ts'
import { openPostgres } from '../migrations/postgres.ts'

/** The database of a script, and the time of its platform. */
type Database = { db: Db; now: Date; description: string; close(): Promise<void> }

/**
 * Works on the database of DATABASE_URL. Without it, works on the running local platform's (NEON_PORT), at
 * the platform's own time (DATA_DIR).
 * @throws Error that names the database that does not answer
 */
export async function withDatabase<T>(
  env: NodeJS.ProcessEnv,
  work: (deps: { db: Db; now: Date }) => Promise<T>,
): Promise<T> {
  const { db, now, description, close } = await openDatabase(env)
  try {
    return await work({ db, now })
  } catch (cause) {
    const outage = outageReason(cause)
    throw outage === undefined ? cause : new Error(`${description} does not answer (${outage})`)
  } finally {
    await close()
  }
}

async function openDatabase(env: NodeJS.ProcessEnv): Promise<Database> {
  const { databaseUrl, neonPort, dataDir } = readSettings(env)
  const close = async () => {}
  if (databaseUrl === undefined) {
    const url = `http://127.0.0.1:${neonPort}/sql`
    const now = new Date(Date.now() + (readState<number>(dataDir, 'clock') ?? 0))
    const description = `the local platform's database at ${url} (start npm run dev, or set DATABASE_URL)`
    return { db: connectThrough(url), now, description, close }
  }
  const description = 'the database of DATABASE_URL'
  if (isNeon(databaseUrl)) return { db: connect(databaseUrl), now: new Date(), description, close }
  const engine = await openPostgres(databaseUrl)
  const server = await serveNeon(neonHandler(engine), 0)
  return {
    db: connectThrough(server.url),
    now: new Date(),
    description,
    async close() {
      await server.close()
      await engine.close()
    },
  }
}

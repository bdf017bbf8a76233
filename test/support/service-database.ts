import { connectThrough, serveNeon } from '../../lib/local/neon/server.ts'
import type { Service } from './service.ts'

/** The production client over a service's database, past its Workers. */
export async function openDatabaseOf({ database }: Pick<Service, 'database'>) {
  const server = await serveNeon(database.handler, 0)
  return { db: connectThrough(server.url), close: () => server.close() }
}

import type { TestProject } from 'vitest/node'
import { buildWorkers } from '../../lib/local/build.ts'
import { applyMigrations } from '../../lib/migrations/migrations.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { keepTemporaryFilesInMemory } from './memory-folder.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

/** The database that every test database is a copy of. */
export const TEMPLATE = 'template_migrated'

declare module 'vitest' {
  interface ProvidedContext {
    /** URLs of the maintenance database of each vitest worker's Postgres server. */
    postgresUrls: string[]
  }
}

/** A real Postgres with a migrated template database. */
async function startMigrated(): Promise<PostgresServer> {
  const server = await startPostgres()
  try {
    await server.createDatabase(TEMPLATE)
    const template = await openPostgres(server.url(TEMPLATE))
    await applyMigrations(template)
    await template.close()
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * Once for all test files: a Postgres for each vitest worker, and the Workers' bundles. With one server for
 * all, a log would show nothing younger than the oldest transaction that another file has open.
 */
export default async function setup(project: TestProject) {
  const removeFolder = keepTemporaryFilesInMemory()
  const starting = Array.from({ length: project.config.maxWorkers }, startMigrated)
  const started = await Promise.allSettled([...starting, buildWorkers()])
  const servers = (await Promise.allSettled(starting)).flatMap((start) =>
    start.status === 'fulfilled' ? [start.value] : [],
  )
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()))
    removeFolder()
  }
  const failed = started.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') {
    await stop()
    throw failed.reason
  }
  project.provide(
    'postgresUrls',
    servers.map((server) => server.url('postgres')),
  )
  return stop
}

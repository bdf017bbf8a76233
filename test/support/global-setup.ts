import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildWorkers } from '../../lib/local/build.ts'
import { openPostgres } from '../../lib/local/neon/postgres.ts'
import { startPostgres } from './postgres-server.ts'

/** The database that every test database is a copy of. */
export const TEMPLATE = 'template_migrated'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the Postgres server's maintenance database. */
    postgresUrl: string
  }
}

/** Once for all test files: a real Postgres with a migrated template database, and the Workers' bundles. */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  try {
    await server.createDatabase(TEMPLATE)
    const template = await openPostgres(server.url(TEMPLATE))
    await template.migrate(join(import.meta.dirname, '../../migrations'))
    await template.close()
    await buildWorkers()
    project.provide('postgresUrl', server.url('postgres'))
  } catch (error) {
    await server.stop()
    throw error
  }
  return () => server.stop()
}

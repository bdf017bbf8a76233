import { applyMigrations } from '../migrations/migrations.ts'
import { openPostgres } from '../migrations/postgres.ts'

/** `npm run migrate`: applies the migrations to the database of DATABASE_URL. Safe to run again. */
const url = process.env.DATABASE_URL
if (!url) {
  console.error('Set DATABASE_URL to the database to migrate.')
  process.exitCode = 1
} else {
  const database = await openPostgres(url)
  try {
    await applyMigrations(database)
    console.log('The migrations are applied.')
  } catch (error) {
    const { code, message } = (
      error instanceof Error && error.cause instanceof Error ? error.cause : error
    ) as {
      code?: string
      message: string
    }
    console.error(`The migrations could not be applied: ${message}${code ? ` (${code})` : ''}`)
    process.exitCode = 1
  } finally {
    await database.close()
  }
}

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openPostgres } from '../../lib/local/neon/postgres.ts'
import { addDatabase } from './database.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/**
 * A database of its own with the migrations before one, to hold rows of the schema as it was, and the rest to
 * apply to it.
 * @param tag how the first migration that is left out is called, without its number
 */
export async function databaseBefore(tag: string) {
  const url = await addDatabase()
  const engine = await openPostgres(url)
  const before = mkdtempSync(join(tmpdir(), 'agentcred-migrations-'))
  try {
    cpSync(MIGRATIONS, before, { recursive: true })
    const file = join(before, 'meta/_journal.json')
    const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(file, 'utf8'))
    const first = journal.entries.findIndex((entry) => entry.tag.replace(/^\d+_/, '') === tag)
    if (first < 0) throw new Error(`there is no migration ${tag}`)
    writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, first) }))
    await engine.migrate(before)
  } finally {
    rmSync(before, { recursive: true })
  }
  const pool = new pg.Pool({ connectionString: url })
  return {
    pool,
    /** The rows of a query, every value as text. */
    rows: async (query: string) => (await engine.run([{ query, params: [] }]))[0]?.rows ?? [],
    execScript: engine.execScript,
    migrateOn: () => engine.migrate(MIGRATIONS),
    async close() {
      await pool.end()
      await engine.close()
    },
  }
}

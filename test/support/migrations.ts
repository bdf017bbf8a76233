import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openPostgres } from '../../lib/local/neon/postgres.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/**
 * A database on the real Postgres with the migrations before this one applied, for rows of the old schema.
 * @param tag the migration's file name without .sql
 */
export async function databaseBefore(tag: string) {
  const name = `test_${randomUUID()}`
  const maintenance = await openPostgres(inject('postgresUrl'))
  await maintenance.execScript(`create database "${name}"`)
  await maintenance.close()
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  const engine = await openPostgres(url.href)
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-migrations-'))
  try {
    cpSync(MIGRATIONS, folder, { recursive: true })
    const file = join(folder, 'meta/_journal.json')
    const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { tag: string }[] }
    const end = journal.entries.findIndex((entry) => entry.tag === tag)
    if (end === -1) throw new Error(`there is no migration ${tag}`)
    writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }))
    await engine.migrate(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url: url.href,
    engine,
    /** Rows of a query, every value as text. */
    rows: async (query: string) => (await engine.run([{ query, params: [] }]))[0]?.rows ?? [],
    /** Applies the rest. */
    migrate: () => engine.migrate(MIGRATIONS),
    close: () => engine.close(),
  }
}

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One file of migrations/, and its backfill. */
export type Migration = {
  tag: string
  sql: string
  hash: string
  /** Its time in drizzle-kit's journal, which orders migrations. */
  when: number
  /** The release that must run before it. A contracting migration removes what earlier releases use. */
  from?: string
  /** A statement that runs until it changes no row. */
  backfill?: string
  /** The index that it builds concurrently, outside of a transaction. */
  index?: string
}

const HEAD = /^-- (?:expand( concurrently)?|contract from (\d+\.\d+\.\d+))$/
const CONCURRENTLY = /^.*\n\s*create (?:unique )?index concurrently "?(\w+)"? on [^;]*;?\s*$/i

/**
 * Reads a folder of migrations, oldest first. Each except the first begins with a line that names its kind.
 * @throws Error that names a file without that line
 */
export function readMigrations(folder: string): Migration[] {
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
    readFileSync(join(folder, 'meta/_journal.json'), 'utf8'),
  )
  return journal.entries.map(({ tag, when }, position) => {
    const sql = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    const head = HEAD.exec(sql.split('\n', 1)[0] ?? '')
    if (!head && position > 0)
      throw new Error(
        `migrations/${tag}.sql must begin with “-- expand”, “-- expand concurrently” or “-- contract from <release>”`,
      )
    const index = head?.[1] && (CONCURRENTLY.exec(sql)?.[1] ?? '')
    if (index === '')
      throw new Error(`migrations/${tag}.sql must be one “create index concurrently <name> on …”`)
    const backfill = join(folder, `${tag}.backfill.sql`)
    return {
      ...{ tag, sql, when },
      // Hashed like drizzle-orm's migrator, whose journal this continues.
      hash: createHash('sha256').update(sql).digest('hex'),
      ...(head?.[2] && { from: head[2] }),
      ...(index && { index }),
      ...(existsSync(backfill) && { backfill: readFileSync(backfill, 'utf8') }),
    }
  })
}

import { sql } from 'drizzle-orm'
import type { DrizzleDb } from './database.ts'
import { drawInteger } from './random.ts'

/* What takes most bytes, and how many bytes tables and indexes take. */

/** Random letters, which compress to nothing, of a script of so many bytes a letter in UTF-8. */
const letters = (count: number, first: number, among: number) =>
  String.fromCodePoint(...Array.from({ length: count }, () => first + drawInteger(among)))
const cjk = (count: number) => letters(count, 0x4e00, 0x5000)
export const rare = (count: number) => letters(count, 0x20000, 0xa000)
export const longUrl = () => `https://${crypto.randomUUID()}.example.com/${cjk(1_990)}`
export const prose = (words: number) => Array.from({ length: words }, () => rare(4)).join(' ')
export const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))

/** Bytes and rows that a change adds, each divided by how many things it stores. */
export async function growthOf(
  db: DrizzleDb,
  { count, store, tables }: { count: number; store: () => Promise<unknown>; tables?: string[] | undefined },
) {
  const rowsOf = async (query: ReturnType<typeof sql>) => (await db.execute(query)).rows
  const read = async () => {
    const names = await rowsOf(sql`select relname, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`)
    const counted = names.filter(({ relname }) => tables?.includes(String(relname)) ?? true)
    let rows = 0
    for (const { relname } of counted) {
      const [row] = await rowsOf(sql`select count(*) from ${sql.identifier(String(relname))}`)
      rows += Number(row?.count)
    }
    return { rows, bytes: counted.reduce((sum, { bytes }) => sum + Number(bytes), 0) }
  }
  const before = await read()
  await store()
  const after = await read()
  return { bytes: (after.bytes - before.bytes) / count, rows: (after.rows - before.rows) / count }
}

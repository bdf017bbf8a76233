import { sql } from 'drizzle-orm'
import type { Db } from './connect.ts'
import { read } from './statement.ts'

const signOfLife = read({}, () => sql<{ one: number }>`select 1 as one`)

/**
 * Whether the database answers a statement that touches no table. False for any failure: no message gets
 * out.
 */
export async function databaseAnswers(db: Db): Promise<boolean> {
  try {
    const { rows } = await signOfLife.run(db, {})
    return rows.length === 1 && rows[0]?.one === 1
  } catch {
    return false
  }
}

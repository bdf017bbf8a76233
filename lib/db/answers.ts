import { sql } from 'drizzle-orm'
import type { Db } from './connect.ts'

/**
 * Whether the database answers a statement that touches no table. False whatever the reason: no message gets
 * out.
 */
export async function databaseAnswers(db: Db): Promise<boolean> {
  try {
    const { rows } = await db.execute<{ one: number }>(sql`select 1 as one`)
    return rows.length === 1 && rows[0]?.one === 1
  } catch {
    return false
  }
}

import { sql } from 'drizzle-orm'
import { API_SCHEMA } from '../../schema/release.ts'
import type { Db } from './connect.ts'
import { read } from './statement.ts'

const signOfLife = read({}, () => sql<{ one: number }>`select 1 as one`)

/**
 * Checks that the database answers a statement without tables. Returns false for any failure, so that no
 * message leaks.
 */
export async function databaseAnswers(db: Db): Promise<boolean> {
  try {
    const { rows } = await signOfLife.run(db, {})
    return rows.length === 1 && rows[0]?.one === 1
  } catch {
    return false
  }
}

const release = read(
  {},
  () =>
    sql<{
      known: boolean
    }>`select coalesce(has_schema_privilege(to_regnamespace(${API_SCHEMA})::oid, 'usage'), false) as known`,
)

/** Checks that the login may call this release's functions. Returns false for any failure. */
export const knowsRelease = (db: Db): Promise<boolean> =>
  release.run(db, {}).then(
    ({ rows }) => rows[0]?.known === true,
    () => false,
  )

/** A suspended database may need three calls of five seconds to wake up. */
const WAKE_TRIES = 3

/**
 * Waits until a suspended database answers.
 * @throws the database's error after 15 seconds
 */
export async function wakeDatabase(db: Db): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await signOfLife.run(db, {})
      return
    } catch (error) {
      if (tried === WAKE_TRIES) throw error
    }
  }
}

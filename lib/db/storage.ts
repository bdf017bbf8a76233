import { sql } from 'drizzle-orm'
import type { Alert } from '../runtime/alert.ts'
import { DAY_MS } from '../time.ts'
import type { Db } from './connect.ts'
import { read } from './statement.ts'

/* Alerts an operator before the database fills its plan's storage, which would stop all writes. */

/** Percentages of the storage at which to alert an operator. */
const LEVELS = [95, 80]
/** Percentage points below a level at which the alert of that level is armed again. */
const ROOM = 5
/** Time after which an alert is repeated. Its sending may have failed, and is not retried. */
const AGAIN_MS = 7 * DAY_MS

/**
 * `level`: the level, in percent, that needs no alert now; 0 below all levels. `at`: the time of the last
 * alert, in Unix milliseconds.
 */
export type LastAlert = { level: number; at: number }

type StorageDeps = {
  db: Db
  now: Date
  alert: Alert
  /** DATABASE_LIMIT_BYTES. */
  limit: string
  /** Stores the level and the time of the last alert between runs. */
  lastAlert: { get: () => Promise<LastAlert | undefined>; put: (lastAlert: LastAlert) => Promise<void> }
}

const size = read({}, () => sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`)

/**
 * Compares the size of the database with its plan's storage. Alerts an operator at each level, and weekly
 * while it stays there.
 * @returns the bytes, and their percentage of the plan's storage
 * @throws TypeError for an invalid limit
 * @throws Error if the size can't be read, or `lastAlert` can't be read or stored
 */
export async function watchStorage(deps: StorageDeps): Promise<{ bytes: number; percent?: number }> {
  const { db, now, alert, lastAlert } = deps
  const limit = parseStorageLimit(deps.limit)
  const { rows } = await size.run(db, {})
  const bytes = Number(rows[0]?.bytes)
  if (limit === undefined) return { bytes }
  const percent = Math.floor((100 * bytes) / limit)
  const before = (await lastAlert.get()) ?? { level: 0, at: 0 }
  const next = nextAlert(percent, before, now)
  if (next === before) return { bytes, percent }
  if (next.at === now.getTime()) alert(lineOf(bytes, limit, percent), now)
  await lastAlert.put(next)
  return { bytes, percent }
}

/**
 * Returns the state after this run; an alert is due if its `at` is `now`. Pure. An alert is due when the size
 * has reached a higher level, and a week after the last alert while it is at a level. The level falls
 * without an alert, when the size has shrunk to ROOM points below it.
 */
export function nextAlert(percent: number, before: LastAlert, now: Date): LastAlert {
  const reached = LEVELS.find((one) => percent >= one) ?? 0
  const level = percent > before.level - ROOM ? Math.max(reached, before.level) : reached
  const isAgain = reached > 0 && now.getTime() - before.at >= AGAIN_MS
  if (level > before.level || isAgain) return { level, at: now.getTime() }
  return level < before.level ? { level, at: before.at } : before
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

const lineOf = (bytes: number, limit: number, percent: number): string =>
  `AgentCred: the database uses ${megabytes(bytes)}, ${percent} % of its plan’s storage (${megabytes(limit)}). When it is full, all writes fail.`

/**
 * Parses DATABASE_LIMIT_BYTES.
 * @returns undefined if it is empty, for no limit
 * @throws TypeError
 */
export function parseStorageLimit(text: string): number | undefined {
  if (text === '') return undefined
  if (!/^[1-9][0-9]{0,15}$/.test(text))
    throw new TypeError('DATABASE_LIMIT_BYTES must be a whole number of bytes, or empty')
  return Number(text)
}

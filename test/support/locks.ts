import pg from 'pg'
import { expect } from 'vitest'

/** Waits until so many sessions of a database wait for a lock. */
export async function untilWaiting(url: string, sessions: number): Promise<void> {
  const observer = new pg.Client({ connectionString: url })
  await observer.connect()
  const waiting = async () => {
    const { rowCount } = await observer.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount
  }
  try {
    const message = 'sessions that wait for a lock'
    await expect.poll(waiting, { message, interval: 10 }).toBeGreaterThanOrEqual(sessions)
  } finally {
    await observer.end()
  }
}

/**
 * Runs `action` while another connection has a row locked. Statements that wait for the row have a snapshot
 * from before all others.
 * @param held.lock a statement that locks the row of $1, the id
 * @param held.waiting releases the lock once so many sessions wait for one, at most ten, the size of a pool.
 *   By default the end of the action releases it, so the action must not wait for the row
 * @param held.change changes the row on that connection before the release
 */
export async function whileLocked<T>(
  held: { url: string; lock: string; id: string; waiting?: number; change?: string | undefined },
  action: () => Promise<T>,
): Promise<T> {
  const { url, lock, id, waiting, change } = held
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    // If the action waits for the row, Postgres ends this connection. Its next query then fails the test.
    await client.query(`set local idle_in_transaction_session_timeout = '30s'`)
    await client.query(lock, [id])
    const running = action()
    await (waiting === undefined ? running : untilWaiting(url, waiting))
    if (change) await client.query(change, [id])
    await client.query('commit')
    return await running
  } finally {
    await client.end()
  }
}

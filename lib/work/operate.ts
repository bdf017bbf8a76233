import type { Db } from '../db/connect.ts'
import * as postgres from '../db/functions.ts'
import { DAY_MS } from '../time.ts'

/** The latest time to which an operator moves deadlines, from now: a typing error must not lock money. */
const MAX_EXTENSION_MS = 30 * DAY_MS
const JOBS_PER_BATCH = 500

/**
 * Moves the deadlines of all funded jobs that pass before a time to that time. A repeated call moves none
 * again, so a command that was cut off is run again.
 * @throws RangeError if the time is not within 30 days from now
 */
export async function extendDeadlines({ db, now }: { db: Db; now: Date }, until: Date): Promise<number> {
  const ahead = until.getTime() - now.getTime()
  if (!(ahead > 0 && ahead <= MAX_EXTENSION_MS))
    throw new RangeError('the time is not within 30 days from now')
  let sum = 0
  for (;;) {
    const { extended } = await postgres.extendJobs.call(db, { until, now, limit: JOBS_PER_BATCH })
    sum += extended
    if (extended < JOBS_PER_BATCH) return sum
  }
}

/**
 * Moves the deadlines of all jobs by the time that a restored database has lost, from `since` on, as an
 * outage does. A repeated call moves none again.
 */
export async function countLostTime({ db, now }: { db: Db; now: Date }, since: Date): Promise<number> {
  let sum = 0
  for (;;) {
    const { counted } = await postgres.countLostTime.call(db, { since, now, limit: JOBS_PER_BATCH })
    sum += counted
    if (counted < JOBS_PER_BATCH) return sum
  }
}

/** Deletes all texts of a job. Its state and money stay. @returns whether there is such a job */
export async function deleteTexts({ db }: { db: Db }, id: string): Promise<boolean> {
  const { outcome } = await postgres.deleteJobTexts.call(db, { id })
  return outcome === 'recorded'
}

import { type Due, dueAt, dueAtOnce, nextScheduledRun, RUN_PERIOD_MS } from '../../clock/jobs.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { injected } from '../../injected.ts'
import { type DueEnds, selectDueEnds } from './hire-queries.ts'

/** A batch of this size takes a few hundred milliseconds. */
const HIRES_PER_BATCH = injected('HIRES_PER_BATCH') ?? 500
/** Per queue and job run. */
const MAX_BATCHES = 10
/** Delay until the next job run when another transaction has locked the agents of due hires. */
const LOCKED_FOR_MS = 60_000

/**
 * Records the hires whose term has ended, paid hires first, in the order of their ends. Batches keep each
 * statement within its time limit.
 * @returns counts, and when the job is next due
 */
export async function recordDueHires({
  db,
  now,
  notify,
}: {
  db: Db
  now: Date
  notify: Notify
}): Promise<{ expired: number; renewed: number; due: Due | undefined }> {
  const total = { expired: 0, renewed: 0 }
  let hasMore = false
  for (const paid of [true, false]) {
    for (let batch = 1; ; batch++) {
      const { expired, renewed, toNotify } = await postgres.recordDueHires.call(db, {
        now,
        paid,
        limit: HIRES_PER_BATCH,
      })
      notify(toNotify)
      total.expired += expired
      total.renewed += renewed
      if (expired + renewed < HIRES_PER_BATCH) break
      if (batch === MAX_BATCHES) {
        hasMore = true
        break
      }
    }
  }
  if (hasMore) return { ...total, due: dueAtOnce(now.getTime()) }
  return { ...total, due: nextEnd(await selectDueEnds(db, RUN_PERIOD_MS), now) }
}

/**
 * Computes when the job is next due: at the next urgent end, otherwise at the scheduled run after the first
 * end. One login keeps a thousand hires alive, and their ends should not wake the database one by one.
 */
export function nextEnd({ first, wanted }: DueEnds, now: Date): Due | undefined {
  if (first === null) return undefined
  if (first <= now) return dueAt('hires', now.getTime() + LOCKED_FOR_MS)
  const scheduledRun = nextScheduledRun(first.getTime() - 1)
  return dueAt('hires', wanted === null ? scheduledRun : Math.min(wanted.getTime(), scheduledRun))
}

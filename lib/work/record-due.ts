import { type Due, dueAt, dueAtOnce, nextScheduledRun, soonest } from '../clock/jobs.ts'
import type { Outage } from '../clock/outages.ts'
import type { Db } from '../db/connect.ts'
import * as postgres from '../db/functions.ts'
import type { Notify } from '../events/outbox/notify.ts'
import { injected } from '../injected.ts'
import { gapsOf } from './outages.ts'

const JOBS_PER_BATCH = injected('JOBS_PER_BATCH') ?? 500
const MAX_BATCHES = 10
/** Delay until the next job run when another transaction has locked the agents of due jobs. */
const LOCKED_FOR_MS = 60_000

/**
 * Returns when the Clock settles a deadline. An unfunded job waits for the next scheduled run, which wakes
 * the database anyway: no money waits, and orders cost nothing.
 */
export const settledAt = (due: Date, isFunded: boolean): Date =>
  isFunded ? due : new Date(nextScheduledRun(due.getTime() - 1))

/**
 * Settles the jobs whose deadlines have passed: moves a deadline by the outages, or ends the job by the
 * default. A job that can't be settled stops no other. It is tried again at the next scheduled run.
 * @param outages all up to now
 * @returns counts, the ids that failed, and when the job is next due
 */
export async function recordDueDeadlines(
  { db, now, notify }: { db: Db; now: Date; notify: Notify },
  outages: readonly Outage[],
): Promise<{ settled: number; extended: number; failed: string[]; due: Due | undefined }> {
  const total = { settled: 0, extended: 0, failed: [] as string[] }
  for (let batch = 1; ; batch++) {
    const done = await postgres.recordDueJobs.call(db, {
      ...gapsOf(outages),
      except: total.failed,
      now,
      limit: JOBS_PER_BATCH,
    })
    notify(done.toNotify)
    total.settled += done.settled
    total.extended += done.extended
    total.failed.push(...done.failed)
    if (done.settled + done.extended + done.failed.length < JOBS_PER_BATCH)
      return { ...total, due: nextDue(done, total.failed.length > 0, now) }
    if (batch === MAX_BATCHES) return { ...total, due: dueAtOnce(now.getTime()) }
  }
}

function nextDue(
  { nextDueAt, nextUnfundedDueAt }: { nextDueAt: Date | null; nextUnfundedDueAt: Date | null },
  hasFailed: boolean,
  now: Date,
): Due | undefined {
  const later = (due: Date | null, isFunded: boolean) =>
    due === null
      ? undefined
      : dueAt('deadlines', due <= now ? now.getTime() + LOCKED_FOR_MS : settledAt(due, isFunded).getTime())
  const again = hasFailed ? dueAt('deadlines', nextScheduledRun(now.getTime())) : undefined
  return soonest(again, soonest(later(nextDueAt, true), later(nextUnfundedDueAt, false)))
}

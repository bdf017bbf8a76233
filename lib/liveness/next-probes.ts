import { type Due, dueAt, dueAtOnce, nextScheduledRun, RUN_PERIOD_MS } from '../clock/jobs.ts'
import { HOUR_MS } from '../time.ts'
import type { NextHosts } from './host-queries.ts'

/** Time after a scheduled run in which job runs follow each other; the rest waits for the next one. */
const RUNS_LAST_MS = HOUR_MS

/**
 * Computes when the next job run is due, if any. First probes don't wait for a scheduled run; naming an
 * endpoint costs a request, which limits them.
 * @param isMoreNew whether there are newly named endpoints that are not enqueued yet
 */
export function nextProbes({ first, others }: NextHosts, isMoreNew: boolean, now: Date): Due | undefined {
  const ms = now.getTime()
  if (isMoreNew || (first !== null && first <= now)) return dueAtOnce(ms)
  const scheduledRun = nextScheduledRun(ms)
  const isDue = others !== null && others <= now
  if (isDue && ms < scheduledRun - RUN_PERIOD_MS + RUNS_LAST_MS) return dueAtOnce(ms)
  const dues = [first, isDue ? new Date(scheduledRun) : others].flatMap((at) =>
    at === null ? [] : [at.getTime()],
  )
  return dues.length === 0 ? undefined : dueAt('looks', Math.min(...dues))
}

import type { Db } from '../db/connect.ts'
import { reasonOf } from '../db/failures.ts'
import { logError, logInfo } from '../runtime/log.ts'

/** The result of a step, for its log line. `more`: something due is left. */
type Result = object & { more?: boolean }

/**
 * Runs the steps of a job run in order, also after a step has failed. Logs each result as one JSON line.
 * @param steps by name
 * @returns whether a step has left something due
 * @throws Error that names the failed steps
 */
export async function runSteps(steps: Record<string, () => Promise<Result>>): Promise<{ more: boolean }> {
  const failed: string[] = []
  let more = false
  for (const [job, run] of Object.entries(steps)) {
    try {
      const result = await run()
      logInfo({ job, ...result })
      more ||= result.more === true
    } catch (error) {
      failed.push(job)
      logError({ job, reason: reasonOf(error) })
    }
  }
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`)
  return { more }
}

/**
 * Time limit of a step; the next job run does the rest. All daily steps fit in the five minutes that the
 * Clock gives a job run.
 */
const STEP_MS = 20_000
/** Statement limit of a step: an invocation may send a thousand, and the daily run has a dozen steps. */
const STATEMENTS_PER_STEP = 40

/**
 * Repeats a bounded statement until it finds fewer rows than its limit, or a limit of the step is reached.
 * @param elapsed a stopwatch, in milliseconds
 * @returns the number of rows taken, and whether more are left
 */
export async function repeated(
  elapsed: () => number,
  limit: number,
  take: (limit: number) => Promise<number>,
): Promise<{ taken: number; more: boolean }> {
  const startedAt = elapsed()
  let taken = 0
  for (let statements = 1; ; statements++) {
    const some = await take(limit)
    taken += some
    if (some < limit) return { taken, more: false }
    const isOver = statements === STATEMENTS_PER_STEP || elapsed() - startedAt >= STEP_MS
    if (isOver) return { taken, more: true }
  }
}

/** The most rows that one statement deletes. */
const MAX_PER_STATEMENT = 10_000

/** Dependencies of a step that deletes old rows. */
export type DeletionDeps = { db: Db; now: Date; elapsed: () => number }

/** Deletes rows until none are left or the time is up. Deleting is faster than clients can insert rows. */
export async function deletedAll(
  elapsed: () => number,
  deleteSome: (limit: number) => Promise<number>,
): Promise<{ deleted: number; more: boolean }> {
  const { taken, more } = await repeated(elapsed, MAX_PER_STATEMENT, deleteSome)
  return { deleted: taken, more }
}

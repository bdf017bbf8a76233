import type { Db } from '../db/connect.ts'
import { reasonOf } from '../db/failures.ts'
import { logError, logInfo } from '../log.ts'

/** What a step of a round says in its line of the log; `more`: it has left something that is due. */
type Result = object & { more?: boolean }

/**
 * Runs the steps of a round one after the other, each also when an earlier one has failed. Logs the result of
 * each as one JSON line.
 * @param steps by name
 * @returns whether any step has left something that is due
 * @throws Error that names the steps that failed
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
 * After so long the rest of a step is left to the next round: the steps of a day end within the five minutes
 * that the Clock gives a round.
 */
const STEP_MS = 20_000
/** So is it after so many statements: an invocation may ask a thousand times, and a day has a dozen steps. */
const STATEMENTS_PER_STEP = 40

/**
 * Repeats a bounded statement until it finds fewer rows than it may take, or the time is up: what was made
 * in a day is ended within a round, however much it is.
 * @param elapsed a stopwatch, in milliseconds
 * @returns how many rows it took in all, and whether some are left
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

/** As many rows as one statement deletes. */
const MAX_PER_STATEMENT = 10_000

/** What a step that deletes old rows needs. */
export type SweepDeps = { db: Db; now: Date; elapsed: () => number }

/** Deletes until nothing is left to delete, or the time is up: faster than anybody can make rows. */
export async function deletedAll(
  elapsed: () => number,
  deleteSome: (limit: number) => Promise<number>,
): Promise<{ deleted: number; more: boolean }> {
  const { taken, more } = await repeated(elapsed, MAX_PER_STATEMENT, deleteSome)
  return { deleted: taken, more }
}

import { reasonOf } from '../db/failures.ts'
import { logError, logInfo } from '../log.ts'

/**
 * Runs a round that is one step.
 * @returns when it is next due, if it is
 * @throws Error that names it when it has failed
 */
export async function runRound<Due>(
  job: string,
  run: () => Promise<object & { due: Due | undefined }>,
): Promise<Due | undefined> {
  let next: Due | undefined
  const step = async () => {
    const { due, ...counts } = await run()
    next = due
    return counts
  }
  await runSteps({ [job]: step })
  return next
}

/**
 * Runs the steps of a cron one after the other, each also when an earlier one has failed. Logs the result of
 * each as one JSON line.
 * @param steps by name; each gives what its line says
 * @throws Error that names the steps that failed, so that the platform counts the run as failed
 */
export async function runSteps(steps: Record<string, () => Promise<object>>): Promise<void> {
  const failed: string[] = []
  for (const [job, run] of Object.entries(steps)) {
    try {
      logInfo({ job, ...(await run()) })
    } catch (error) {
      failed.push(job)
      logError({ job, reason: reasonOf(error) })
    }
  }
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`)
}

import { repeated } from '../../clock/job-steps.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'

/** A batch of this size, with 200 words and all layers each, takes some hundred milliseconds. */
const AGENTS_PER_BATCH = 100

/**
 * Deletes the search words and the listings by layer of idle agents. Batches keep each statement within its
 * time limit.
 */
export async function unlistIdleAgents({
  db,
  now,
  elapsed,
}: {
  db: Db
  now: Date
  elapsed: () => number
}): Promise<{ unlisted: number; more: boolean }> {
  let unlisted = 0
  const { more } = await repeated(elapsed, AGENTS_PER_BATCH, async (limit) => {
    const done = await postgres.unlistIdleAgents.call(db, { now, limit })
    unlisted += done.unlisted
    return done.checked
  })
  return { unlisted, more }
}

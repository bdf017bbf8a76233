import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import { repeated } from '../../http/steps.ts'

/** A batch is one call: this many, of 200 words and all layers each, take some hundred milliseconds. */
const AGENTS_PER_BATCH = 100

/**
 * Takes the words and the listings by layer of idle agents away, in batches that fit a statement's time
 * limit.
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
    return done.looked
  })
  return { unlisted, more }
}

import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'

/** A batch is one call: this many, of a hundred words and all layers each, take some hundred milliseconds. */
const AGENTS_PER_BATCH = 100
/** The rest is left to the next round. */
const MAX_BATCHES = 100

/**
 * Takes the words and the listings by layer of idle agents away, in batches that fit a statement's time
 * limit.
 */
export async function unlistIdleAgents({ db, now }: { db: Db; now: Date }): Promise<{ unlisted: number }> {
  let unlisted = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const done = await postgres.unlistIdleAgents.call(db, { now, limit: AGENTS_PER_BATCH })
    unlisted += done.unlisted
    if (done.looked < AGENTS_PER_BATCH) break
  }
  return { unlisted }
}

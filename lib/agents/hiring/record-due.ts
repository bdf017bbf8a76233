import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'

/** A batch is one call: this many take a few hundred milliseconds. */
const HIRES_PER_BATCH = 500
/** Of each queue. */
const MAX_BATCHES = 10

/**
 * Records the hires whose term has run out, in batches that fit a statement's time limit: the ones that have
 * paid a charge first, then the others, in the order in which their terms ended.
 */
export async function recordDueHires({
  db,
  now,
}: {
  db: Db
  now: Date
}): Promise<{ expired: number; renewed: number }> {
  const total = { expired: 0, renewed: 0 }
  for (const paid of [true, false]) {
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const { expired, renewed } = await postgres.recordDueHires.call(db, {
        now,
        paid,
        limit: HIRES_PER_BATCH,
      })
      total.expired += expired
      total.renewed += renewed
      if (expired + renewed < HIRES_PER_BATCH) break
    }
  }
  return total
}

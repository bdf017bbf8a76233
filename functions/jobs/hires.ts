import { recordDueHires } from '../../lib/agents/hiring/due-queries.ts'
import type { Db } from '../../lib/db/connect.ts'

/**
 * Each batch is one statement: with statistics that know of no due hires, this many take a third of a second.
 */
const HIRES_PER_BATCH = 500
const MAX_BATCHES = 10

/** Records the hires whose term has run out, in batches that fit a statement's time limit. */
export async function sweepHires(db: Db, now: Date): Promise<{ expired: number; renewed: number }> {
  const total = { expired: 0, renewed: 0 }
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { expired, renewed } = await recordDueHires(db, now, HIRES_PER_BATCH)
    total.expired += expired
    total.renewed += renewed
    if (expired + renewed < HIRES_PER_BATCH) break
  }
  return total
}

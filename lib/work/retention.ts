import { type DeletionDeps, repeated } from '../clock/job-steps.ts'
import * as postgres from '../db/functions.ts'

/** A batch of this size, with its texts, takes some hundred milliseconds. */
const JOBS_PER_BATCH = 1_000

/** Deletes unfunded jobs some days after their end, and the texts of funded ones (lib/work/rules.ts). */
export async function deleteOldJobs({
  db,
  now,
  elapsed,
}: DeletionDeps): Promise<{ deleted: number; emptied: number; more: boolean }> {
  const total = { deleted: 0, emptied: 0 }
  const { more } = await repeated(elapsed, JOBS_PER_BATCH, async (limit) => {
    const { deleted, emptied } = await postgres.deleteEndedJobs.call(db, { now, limit })
    total.deleted += deleted
    total.emptied += emptied
    return deleted + emptied
  })
  return { ...total, more }
}

import { type DeletionDeps, deletedAll } from '../../clock/job-steps.ts'
import { deleteEndedGrants, deleteUnusedGrants } from './queries.ts'
import { GRANT_KEPT_MS, GRANT_UNUSED_MS } from './rules.ts'

/** Deletes grants a day after they ended, expired, or had been unused for 30 days. */
export async function deleteOldGrants({ db, now, elapsed }: DeletionDeps) {
  const keptSince = now.getTime() - GRANT_KEPT_MS
  const ended = await deletedAll(elapsed, (limit) => deleteEndedGrants(db, new Date(keptSince), limit))
  const unusedSince = new Date(keptSince - GRANT_UNUSED_MS)
  const unused = await deletedAll(elapsed, (limit) => deleteUnusedGrants(db, unusedSince, limit))
  return { deleted: ended.deleted + unused.deleted, more: ended.more || unused.more }
}

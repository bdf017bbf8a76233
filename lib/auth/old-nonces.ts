import { type DeletionDeps, deletedAll } from '../clock/job-steps.ts'
import { deleteSpentNonces } from './queries.ts'

/** Deletes spent nonces whose challenges have expired. */
export const deleteOldNonces = ({ db, now, elapsed }: DeletionDeps) =>
  deletedAll(elapsed, (limit) => deleteSpentNonces(db, now, limit))

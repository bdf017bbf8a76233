import { deletedAll, type SweepDeps } from '../clock/job-steps.ts'
import { deleteSpentNonces } from './queries.ts'

/** Deletes spent nonces whose challenges have expired. */
export const sweepNonces = ({ db, now, elapsed }: SweepDeps) =>
  deletedAll(elapsed, (limit) => deleteSpentNonces(db, now, limit))

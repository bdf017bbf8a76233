import { type DeletionDeps, deletedAll } from '../clock/job-steps.ts'
import { HOUR_MS } from '../time.ts'
import { deleteOldAddresses } from './queries.ts'

/** Time until a counter of an address is deleted, from the end of its hour or day. */
const ADDRESS_RETENTION_MS = HOUR_MS

/** Deletes counters of addresses whose hour or day is over. */
export const deleteAllOldAddresses = ({ db, now, elapsed }: DeletionDeps) =>
  deletedAll(elapsed, (limit) =>
    deleteOldAddresses(db, new Date(now.getTime() - ADDRESS_RETENTION_MS), limit),
  )

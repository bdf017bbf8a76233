import { type DeletionDeps, deletedAll } from '../clock/job-steps.ts'
import { HOUR_MS } from '../time.ts'
import { deleteOldAddresses } from './queries.ts'

/** Time until a counter of an address is deleted, from the end of its hour or day. */
const ADDRESSES_KEPT_MS = HOUR_MS

/** Deletes counters of addresses whose hour or day is over. */
export const deleteAllOldAddresses = ({ db, now, elapsed }: DeletionDeps) =>
  deletedAll(elapsed, (limit) => deleteOldAddresses(db, new Date(now.getTime() - ADDRESSES_KEPT_MS), limit))

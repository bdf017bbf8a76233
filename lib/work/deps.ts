import type { Cred } from '../../schema/amounts.ts'
import type { Outage } from '../clock/outages.ts'
import type { ScheduleJob } from '../clock/wake.ts'
import type { Db } from '../db/connect.ts'
import type { Notify } from '../events/outbox/notify.ts'

/** The dependencies of jobs. */
export type WorkDeps = {
  db: Db
  now: Date
  notify: Notify
  schedule: ScheduleJob
  /**
   * Returns the outages up to `now`, from the Clock.
   * @throws ApiError dependency_unavailable if it does not answer
   */
  outages: (now: Date) => Promise<readonly Outage[]>
  /** JOB_JUDGES: the wallets that judge for the deployment. */
  judges: ReadonlySet<string>
  /** JOB_MIN_PRICE: the least price of a job. */
  minPrice: Cred
  /** The protocol fee of new jobs. */
  feeBps: number
  /** New jobs of a client's address in an hour. */
  jobsPerAddress: number
  /** The version of the payments authority's key that new jobs are funded under; undefined with JOBS=off. */
  keyVersion: number | undefined
}

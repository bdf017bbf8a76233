import type { Due, Job } from './jobs.ts'

/*
 * Job runs of other Workers, which the Clock calls by service bindings. Each returns when its job is next
 * due, if it is, and rejects if a step fails. The methods keep their names: during an upgrade, Workers of two
 * releases call each other.
 */

/** The job runs of the settlement Worker. */
export type SettlementService = {
  settle(): Promise<Due | undefined>
  lookAtPositions(): Promise<Due | undefined>
  /** Returns whether it left work for another daily job run. */
  daily(): Promise<{ more: boolean }>
}

/** The job run of the probes Worker. */
export type ProbesService = {
  /** Returns when it is next due, and other jobs that its results make due (Unix milliseconds). */
  probe(): Promise<{ due: Due | undefined; scheduled: { job: Job; at: number }[] }>
  /** The same for the Clock of the former release, which does not know the other jobs. */
  look(): Promise<Due | undefined>
}

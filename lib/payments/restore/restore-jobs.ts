import { base64 } from '@scure/base'
import { cred } from '../../../schema/amounts.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { LandedLeg, LandedOfJobs } from '../chain/landed-jobs.ts'
import { findPaidJob } from '../jobs/job-queries.ts'
import { findIntent } from '../transactions/intent-queries.ts'
import type { RestoreDeps } from './restore-budgets.ts'
import { selectJobsOfEscrows } from './restore-queries.ts'

/** A transaction of jobs that the restored database lacked. `lostEscrows`: nothing is known of their jobs. */
export type FoundOfJobs = LandedOfJobs & { signature: string; isNewJob: boolean; lostEscrows: LandedLeg[] }

/** A landed transaction, as the chain has it. */
type LandedAt = { signature: string; slot: bigint; landedAt: Date; transaction: string; bytes: Uint8Array }

/**
 * Records a transaction of jobs that has landed. An unknown job is made anew by its funding. Idempotent; a
 * plan records nothing.
 * @returns undefined if it was recorded before
 */
export async function restoreOfJobs(
  { db, now, isPlan, feeBps, feeStep, notify }: RestoreDeps,
  landed: LandedOfJobs,
  at: LandedAt,
): Promise<FoundOfJobs | undefined> {
  if ((await findIntent(db, landed.id))?.status === 'landed') return undefined
  const { kind, wallet } = landed
  const known = await jobsOf(db, landed)
  const legs = landed.legs.flatMap((leg) => {
    const jobId = known.get(leg.escrow)
    return jobId === undefined ? [] : [{ ...leg, jobId }]
  })
  const isNewJob = kind === 'fund_job' && (await findPaidJob(db, landed.jobId)).job === undefined
  const lostEscrows = landed.legs.filter(({ escrow }) => !known.has(escrow))
  const found = { ...landed, signature: at.signature, isNewJob, lostEscrows }
  // Without a job nothing can be recorded, so every run reports the transaction.
  if (isPlan || legs.length === 0) return found
  const { outcome, toNotify } = await postgres.recordFoundJobPayment.call(db, {
    ...{ id: landed.id, wallet, kind, keyVersion: landed.keys.keyVersion, message: landed.memo },
    ...{ transaction: at.transaction, cosignedMessage: base64.encode(at.bytes) },
    ...{ networkSignature: at.signature, slot: at.slot, landedAt: at.landedAt },
    jobs: legs.map(({ jobId }) => jobId),
    addresses: legs.map(({ escrow }) => escrow),
    seeds: legs.map(() => (kind === 'fund_job' ? landed.seed : '')),
    amounts: legs.map(({ amount }) => amount),
    fees: legs.map(({ fee }) => fee),
    guards: legs.map(({ guard = cred(0n) }) => guard),
    ...(kind === 'fund_job' ? { owner: landed.owner, termsHash: landed.termsHash } : {}),
    ...{ feeBps, feeStep, now },
  })
  notify(toNotify)
  if (outcome === 'over') return undefined
  return outcome === 'lost' ? { ...found, lostEscrows: landed.legs } : found
}

/** Returns the jobs of a transaction's escrows. Only the memo of a collection does not name its jobs. */
async function jobsOf(db: Db, landed: LandedOfJobs): Promise<Map<string, string>> {
  const escrows = landed.legs.map(({ escrow }) => escrow)
  if (landed.kind === 'fund_job') return new Map(escrows.map((escrow) => [escrow, landed.jobId]))
  if (landed.kind === 'refund_job') {
    const { job } = await findPaidJob(db, landed.jobId)
    return new Map(job ? escrows.map((escrow) => [escrow, job.id]) : [])
  }
  const rows = await selectJobsOfEscrows(db, { owner: landed.wallet, escrows })
  return new Map(rows.map(({ id, escrow }) => [escrow, id]))
}

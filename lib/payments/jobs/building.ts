import { type Cred, cred } from '../../../schema/amounts.ts'
import type { PaymentKind } from '../../../schema/values.ts'
import type { Address } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import * as postgres from '../../db/functions.ts'
import { builtTooOften } from '../../quotas/errors.ts'
import type { JobKeys } from '../chain/job-accounts.ts'
import type { BuildDeps } from '../chain-deps.ts'
import type { PaymentSettings } from '../keys.ts'
import { agentSuspended } from '../transactions/errors.ts'
import type { NewIntent } from '../transactions/intent-queries.ts'
import { jobError } from './job-errors.ts'
import type { PaidJob } from './job-queries.ts'

/* The common part of transactions of jobs. */

/** What a transaction moves in the escrow of a job. */
export type BuiltLeg = {
  jobId: string
  address: Address
  amount: Cred
  fee: Cred
  guard?: Cred | undefined
  seed?: string
}

/** What the escrow of an ended job owes to each side, as recorded. */
export function duesOf(job: Pick<PaidJob, 'agentAmount' | 'hirerAmount' | 'paidAt' | 'refundedAt'>): {
  agent: Cred
  hirer: Cred
} {
  return {
    agent: job.paidAt === null ? (job.agentAmount ?? cred(0n)) : cred(0n),
    hirer: job.refundedAt === null ? (job.hirerAmount ?? cred(0n)) : cred(0n),
  }
}

/**
 * Returns the keys of a key version.
 * @throws ApiError `jobs_off` if this deployment has no recovery key of it
 */
export function jobKeysOf({ keyVersions, recoveries }: PaymentSettings, keyVersion: number): JobKeys {
  const keys = keyVersions.find((known) => known.keyVersion === keyVersion)
  const recovery = recoveries.get(keyVersion)
  if (keys && recovery) return { ...keys, recovery }
  throw new ApiError('jobs_off', `The service has no keys of jobs of version ${keyVersion}.`)
}

/** Makes the error for a wallet without a part in a job. */
export const jobNotFound = () => jobError('job_not_found')

/**
 * Records a built transaction of jobs.
 * @param of.builds counts a transaction that needs no tokens per client address
 * @param of.settle settles the job's deadline if that has passed; then the transaction is tried once more
 * @throws ApiError of jobs (jobError), agent_suspended, rate_limited
 */
export async function recordIntent(
  { db, now }: Pick<BuildDeps, 'db' | 'now'>,
  intent: NewIntent,
  {
    kind,
    legs,
    input,
    builds,
    settle,
  }: {
    kind: PaymentKind
    legs: BuiltLeg[]
    input?: string | undefined
    builds?: { addressHash: string; buildsPerAddress: number }
    settle?: () => Promise<void>
  },
): Promise<void> {
  const call = () =>
    postgres.recordJobIntent.call(db, {
      ...{ ...intent, kind, input, ...builds },
      jobs: legs.map(({ jobId }) => jobId),
      addresses: legs.map(({ address }) => address),
      seeds: legs.map(({ seed = '' }) => seed),
      amounts: legs.map(({ amount }) => amount),
      fees: legs.map(({ fee }) => fee),
      guards: legs.map(({ guard = cred(0n) }) => guard),
    })
  let { outcome } = await call()
  if (outcome === 'due' && settle) {
    await settle()
    outcome = (await call()).outcome
  }
  if (outcome === 'recorded') return
  if (outcome === 'agent_suspended') throw agentSuspended()
  if (outcome === 'too_many_builds') throw builtTooOften(builds?.buildsPerAddress ?? 0, now)
  throw jobError(outcome)
}

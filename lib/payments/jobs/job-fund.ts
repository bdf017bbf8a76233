import { cred, formatAmount } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { collectorAccount } from '../chain/collector.ts'
import { newEscrow, refundAccount, refundState } from '../chain/job-accounts.ts'
import { buildJobFunding } from '../chain/job-transactions.ts'
import type { BuildDeps } from '../chain-deps.ts'
import { requireCollector, requireEligible, requireFunds } from '../guards.ts'
import {
  type BuiltPayment,
  costWords,
  intentOf,
  networkOf,
  newIntentId,
  newlyBuilt,
} from '../transactions/building.ts'
import { type BuiltLeg, jobKeysOf, jobNotFound, recordIntent } from './building.ts'
import { jobError } from './job-errors.ts'
import { findPaidJob } from './job-queries.ts'
import { refundForeign } from './refund-account-open.ts'

/** A built transaction of jobs, with what it moves in each escrow. */
export type BuiltForJobs = BuiltPayment & { jobs: BuiltLeg[] }

/**
 * Dependencies of fundings: `areJobsOn` is the setting JOBS. `settleDeadline` settles the deadline of a job
 * that has passed: it moves it by the outages, or ends the job.
 */
export type FundDeps = BuildDeps & {
  areJobsOn: boolean
  settleDeadline: (db: Db, jobId: string) => Promise<void>
}

/**
 * Builds the transaction that pays the price of an accepted job into a new escrow. The service signs it, too,
 * under the key version of the acceptance, and only once it has the input whose hash was posted.
 * @throws ApiError jobs_off, wallet_not_eligible, job_not_found, job_changed, deadline_passed, funding_open,
 *   input_missing, input_differs, agent_suspended, key_leaked, escrow_taken, refund_account_missing,
 *   refund_account_foreign, collector_missing, collector_foreign, funds_short, dependency_unavailable
 */
export async function fundJob(
  deps: FundDeps,
  hirer: Wallet,
  input: { jobId: string; input?: string | undefined },
): Promise<BuiltForJobs> {
  const { db, settings } = deps
  if (!deps.areJobsOn) throw new ApiError('jobs_off', 'The operator takes no new fundings of jobs now.')
  requireEligible(settings, hirer)
  const { job } = await findPaidJob(db, input.jobId)
  if (job?.hirer !== hirer) throw jobNotFound()
  if (job.keyVersion === null) throw jobError('job_changed')
  const { id: jobId, owner, price, termsHash } = job
  const { mint } = settings
  const keys = jobKeysOf(settings, job.keyVersion)
  const refund = await refundAccount(hirer, keys.keyVersion)
  const { accounts, ...seen } = await lookUp(deps, {
    refund: refund.address,
    collector: (await collectorAccount(owner, keys.keyVersion)).address,
    hirerTokens: await associatedTokenAddress(hirer, mint),
  })
  const state = refundState(accounts.refund, { hirer, keys })
  if (state === 'foreign') throw refundForeign(refund.address)
  if (state === 'absent')
    throw new ApiError(
      'refund_account_missing',
      'Open your refund account first: POST /payments/jobs/refund-account.',
    )
  requireCollector(accounts.collector, { owner, keys })
  requireFunds(accounts.hirerTokens, { owner: hirer, mint }, price)
  const id = newIntentId(deps)
  const escrow = await newEscrow(hirer)
  const network = networkOf(deps, seen)
  const parties = { jobId, hirer, owner, keys, escrow, price, termsHash }
  const built = await buildJobFunding({ id, mint, network, rents: seen.rents, ...parties })
  const rent = { lamports: seen.rents.tokenAccount, of: ', returned when the escrow is closed' }
  const message = `Signing pays ${formatAmount(price)} CRED into the escrow of this job. It goes to the agent’s owner or back to you, as the job ends. ${costWords(built, rent)}`
  const intent = intentOf(deps, { id, wallet: hirer, keyVersion: keys.keyVersion, built, message, seen })
  const leg = { jobId, address: escrow.address, seed: escrow.seed, amount: price, fee: cred(0n) }
  const settle = () => deps.settleDeadline(deps.db, jobId)
  await recordIntent(deps, intent, { kind: 'fund_job', legs: [leg], input: input.input, settle })
  return { ...newlyBuilt('fund_job', intent), jobs: [leg] }
}

import { cred, formatAmount, sumOf } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import { protocolFee } from '../../reputation/counterparties/rules.ts'
import { lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { collectorAccount } from '../chain/collector.ts'
import { escrowState, refundAccount } from '../chain/job-accounts.ts'
import { buildFittingJobCollection } from '../chain/job-transactions.ts'
import { payoutState, requireEligible, requireTreasury } from '../guards.ts'
import { treasuryOf } from '../keys.ts'
import {
  costWords,
  intentOf,
  networkOf,
  newIntentId,
  newlyBuilt,
  rentToBePaid,
} from '../transactions/building.ts'
import { type BuiltLeg, duesOf, jobKeysOf, recordIntent } from './building.ts'
import type { BuiltForJobs } from './job-fund.ts'
import { type PaidJob, selectUnpaidJobs } from './job-queries.ts'
import type { PayoutDeps } from './job-refund.ts'
import { reread } from './job-reread.ts'

/** Jobs that are read for one collection, and jobs whose lost transactions are searched for. */
const JOBS_READ = 24
const JOBS_REREAD = 2

/**
 * Builds the transaction that pays an agents' owner its parts of ended jobs, the oldest first, less the
 * protocol fee of each. It takes as many escrows as fit, all of one key version, and leaves out escrows that
 * can't pay. For some of these it looks again for transactions that were taken for expired.
 * @param input.jobId only this job
 * @throws ApiError wallet_not_eligible, nothing_to_collect, payout_account_unusable, payment_open,
 *   job_changed, treasury_unavailable, jobs_off, dependency_unavailable
 */
export async function collectJobs(
  deps: PayoutDeps,
  owner: Wallet,
  input: { jobId?: string | undefined },
): Promise<BuiltForJobs> {
  requireEligible(deps.settings, owner)
  const first = await planFrom(deps, owner, input.jobId)
  if (first.able.length > 0) return record(deps, owner, first)
  let hasChanged = false
  for (const { id } of first.short.slice(0, JOBS_REREAD)) hasChanged = (await reread(deps, id)) || hasChanged
  const again = hasChanged ? await planFrom(deps, owner, input.jobId) : first
  if (again.able.length > 0) return record(deps, owner, again)
  throw new ApiError(
    'nothing_to_collect',
    again.short.length > 0
      ? 'The escrows of your jobs are frozen or hold too little. If a payment was just confirmed, try again in a minute. Otherwise an operator must look at them.'
      : 'No part of an ended job is due to you.',
  )
}

type Leg = BuiltLeg & { keyVersion: number }

async function planFrom(deps: PayoutDeps, owner: Wallet, jobId: string | undefined) {
  const { settings } = deps
  const { mint } = settings
  const jobs = await selectUnpaidJobs(deps.db, { owner, jobId, limit: JOBS_READ })
  const { accounts, at, ...seen } = await lookUp(deps, {
    ownerTokens: await associatedTokenAddress(owner, mint),
    treasury: await treasuryOf(settings),
    ...Object.fromEntries(jobs.flatMap(({ escrow }) => (escrow === null ? [] : [[escrow, escrow]]))),
  })
  requireTreasury(settings, accounts.treasury)
  const ownerTokens = payoutState(accounts.ownerTokens, { owner, mint })
  const able: Leg[] = []
  const short: PaidJob[] = []
  for (const job of jobs) {
    if (job.escrow === null || job.keyVersion === null) continue
    const state = escrowState(at(job.escrow), {
      mint,
      refund: (await refundAccount(job.hirer, job.keyVersion)).address,
      collector: (await collectorAccount(owner, job.keyVersion)).address,
    })
    const { agent, hirer } = duesOf(job)
    const isAble =
      state.kind === 'open' && !state.isFrozen && state.balance >= agent + hirer && state.allowance >= agent
    if (!isAble) short.push(job)
    else
      able.push({
        ...{ jobId: job.id, address: job.escrow, keyVersion: job.keyVersion },
        ...{ amount: agent, fee: protocolFee(agent, job.feeBps) },
        guard: hirer > 0n ? cred(agent + hirer) : undefined,
      })
  }
  return { able, short, ownerTokens, seen }
}

async function record(
  deps: PayoutDeps,
  owner: Wallet,
  { able, ownerTokens, seen }: Awaited<ReturnType<typeof planFrom>>,
): Promise<BuiltForJobs> {
  const { settings } = deps
  const keyVersion = able[0]?.keyVersion ?? 0
  const keys = jobKeysOf(settings, keyVersion)
  const treasury = await treasuryOf(settings)
  const id = newIntentId(deps)
  const network = networkOf(deps, seen)
  const ofVersion = able.filter((leg) => leg.keyVersion === keyVersion)
  const { built, count } = await buildFittingJobCollection({
    ...{ id, owner, keys, mint: settings.mint, treasury, ownerTokens, network },
    legs: ofVersion.map(({ address, amount, fee, guard }) => ({ escrow: address, amount, fee, guard })),
  })
  const legs = ofVersion.slice(0, count)
  const amount = sumOf(legs.map((leg) => leg.amount))
  const fee = sumOf(legs.map((leg) => leg.fee))
  const message = `Signing collects ${formatAmount(amount)} CRED for ${legs.length} ${legs.length === 1 ? 'job' : 'jobs'}, of which ${formatAmount(fee)} CRED go to the treasury. ${costWords(built, rentToBePaid(ownerTokens, seen))}`
  const intent = intentOf(deps, { id, wallet: owner, keyVersion, built, message, seen })
  await recordIntent(deps, intent, { kind: 'collect_jobs', legs })
  return { ...newlyBuilt('collect_jobs', intent), jobs: legs }
}

import { type Cred, cred, formatAmount } from '../../../schema/amounts.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { ownTokenAccount } from '../../solana/cred-account.ts'
import { type ChainView, lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { isVacant } from '../../solana/programs/seeded-account.ts'
import { collectorAccount } from '../chain/collector.ts'
import { escrowState, newEscrow, refundAccount } from '../chain/job-accounts.ts'
import { buildJobRefund } from '../chain/job-transactions.ts'
import type { BuildDeps, PaymentSettleDeps } from '../chain-deps.ts'
import { costWords, intentOf, networkOf, newIntentId, newlyBuilt } from '../transactions/building.ts'
import { duesOf, jobKeysOf, jobNotFound, recordIntent } from './building.ts'
import { jobError } from './job-errors.ts'
import type { BuiltForJobs } from './job-fund.ts'
import { findPaidJob, type PaidJob } from './job-queries.ts'
import { reread } from './job-reread.ts'

export type PayoutDeps = BuildDeps & PaymentSettleDeps & { notify: Notify }

/**
 * Builds the transaction that pays a hirer back: its part of an ended job, or all of a stray funding, or what
 * is left once nobody has anything due. Only a part that leaves money to the agent's owner is guarded, and
 * leaves the escrow open. If the escrow holds too little, or the job owes nothing, it first looks again for
 * transactions that were taken for expired.
 * @throws ApiError job_not_found, nothing_due, payment_open, job_changed, escrow_short, jobs_off,
 *   dependency_unavailable
 */
export async function refundJob(
  deps: PayoutDeps,
  hirer: Wallet,
  { jobId }: { jobId: string },
): Promise<BuiltForJobs> {
  const first = await planRefund(deps, hirer, jobId)
  if ('plan' in first) return record(deps, hirer, first.plan)
  const again = (await reread(deps, jobId)) ? await planRefund(deps, hirer, jobId) : first
  if ('plan' in again) return record(deps, hirer, again.plan)
  throw again.error
}

type Plan = {
  job: PaidJob
  keyVersion: number
  escrow: Address
  amount: Cred
  guard: Cred | undefined
  isOwnUsable: boolean
  hasOwn: boolean
  seen: ChainView
}

async function planRefund(
  deps: PayoutDeps,
  hirer: Wallet,
  jobId: string,
): Promise<{ plan: Plan } | { error: ApiError }> {
  const { settings } = deps
  const { mint } = settings
  const { job, strays } = await findPaidJob(deps.db, jobId)
  if (job?.hirer !== hirer) throw jobNotFound()
  const { keyVersion } = job
  const own = job.agentAmount === null || job.escrowClosedAt !== null ? [] : (job.escrow ?? [])
  const addresses = [own, strays].flat()
  if (keyVersion === null || addresses.length === 0) return { error: jobError('not_due') }
  const { accounts, at, ...seen } = await lookUp(deps, {
    hirerTokens: await associatedTokenAddress(hirer, mint),
    ...Object.fromEntries(addresses.map((address) => [address, address])),
  })
  const expected = {
    mint,
    refund: (await refundAccount(hirer, keyVersion)).address,
    collector: (await collectorAccount(job.owner, keyVersion)).address,
  }
  const dues = duesOf(job)
  const isOwnUsable =
    isVacant(accounts.hirerTokens) ||
    ownTokenAccount(accounts.hirerTokens, { owner: hirer, mint }) !== undefined
  const common = { job, keyVersion, isOwnUsable, hasOwn: !isVacant(accounts.hirerTokens), seen }
  let error = jobError('not_due')
  for (const escrow of addresses) {
    const state = escrowState(at(escrow), expected)
    const isJobs = escrow === job.escrow
    const due = isJobs ? dues.hirer + dues.agent : 0n
    if (state.kind === 'open' && !state.isFrozen && state.balance >= due) {
      const plan = { ...common, escrow }
      if (!isJobs || dues.agent === 0n) {
        if (state.balance > 0n) return { plan: { ...plan, amount: state.balance, guard: undefined } }
      } else if (dues.hirer > 0n) return { plan: { ...plan, amount: dues.hirer, guard: cred(due) } }
    } else if (due > 0n) error = escrowShort(state.kind === 'open' && state.isFrozen)
  }
  return { error }
}

async function record(deps: PayoutDeps, hirer: Wallet, plan: Plan): Promise<BuiltForJobs> {
  const { amount, escrow, guard, hasOwn, isOwnUsable, job, keyVersion, seen } = plan
  const { settings } = deps
  const keys = jobKeysOf(settings, keyVersion)
  const id = newIntentId(deps)
  const built = await buildJobRefund({
    ...{ id, jobId: job.id, hirer, keys, mint: settings.mint, escrow, amount, guard },
    fresh: isOwnUsable ? undefined : await newEscrow(hirer),
    rents: seen.rents,
    network: networkOf(deps, seen),
  })
  const closing =
    guard === undefined ? 'The escrow is closed and its rent returned to you.' : 'The escrow stays open.'
  const rent =
    hasOwn && isOwnUsable ? undefined : { lamports: seen.rents.tokenAccount, of: ' of a new token account' }
  const message = `Signing pays ${formatAmount(amount)} CRED from the escrow of this job back to you. ${closing} ${costWords(built, rent)}`
  const intent = intentOf(deps, { id, wallet: hirer, keyVersion, built, message, seen })
  const leg = { jobId: job.id, address: escrow, amount, fee: cred(0n), guard }
  await recordIntent(deps, intent, { kind: 'refund_job', legs: [leg] })
  return { ...newlyBuilt('refund_job', intent), jobs: [leg] }
}

const escrowShort = (isFrozen: boolean) =>
  new ApiError(
    'escrow_short',
    isFrozen
      ? 'The mint’s freeze authority has frozen the escrow.'
      : 'The escrow holds less than it owes. An operator must look at it.',
  )

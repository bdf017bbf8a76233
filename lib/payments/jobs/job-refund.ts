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
import { findPaidJob, type PaidJob, type Stray } from './job-queries.ts'
import { reread } from './job-reread.ts'

export type PayoutDeps = BuildDeps & PaymentSettleDeps & { notify: Notify }

/**
 * Builds the transaction that pays a hirer back: its part of an ended job, or all of a stray funding, or what
 * is left once nobody has anything due. It closes the escrow, unless money is left for the agent's owner or
 * somebody has sent tokens to it: another gift would fail the closing, and with it the refund. If the escrow
 * holds too little, or the job owes nothing, it first looks again for transactions that were taken for
 * expired.
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
  const escrows = [...ownEscrow(job), ...strays.map(strayEscrow)]
  if (keyVersion === null || escrows.length === 0) return { error: jobError('not_due') }
  const { accounts, at, ...seen } = await lookUp(deps, {
    hirerTokens: await associatedTokenAddress(hirer, mint),
    ...Object.fromEntries(escrows.map(({ address }) => [address, address])),
  })
  const expected = {
    mint,
    refund: (await refundAccount(hirer, keyVersion)).address,
    collector: (await collectorAccount(job.owner, keyVersion)).address,
  }
  const isOwnUsable =
    isVacant(accounts.hirerTokens) ||
    ownTokenAccount(accounts.hirerTokens, { owner: hirer, mint }) !== undefined
  const common = { job, keyVersion, isOwnUsable, hasOwn: !isVacant(accounts.hirerTokens), seen }
  let error = jobError('not_due')
  const plans: Plan[] = []
  for (const escrow of escrows) {
    const state = escrowState(at(escrow.address), expected)
    const due = escrow.hirer + escrow.agent
    if (state.kind === 'open' && !state.isFrozen && state.balance >= due)
      plans.push({ ...common, escrow: escrow.address, ...paymentOf(escrow, state.balance) })
    else if (escrow.address === job.escrow && due > 0n)
      error = escrowShort(state.kind === 'open' && state.isFrozen)
  }
  // An empty escrow of the job is closed by the hirer alone: POST /payments/jobs/close.
  const plan = plans.find(({ amount }) => amount > 0n) ?? plans.find(({ escrow }) => escrow !== job.escrow)
  return plan ? { plan } : { error }
}

/** An escrow, and what it owes to each side. */
type OwingEscrow = { address: Address; agent: Cred; hirer: Cred }

const ownEscrow = (job: PaidJob): OwingEscrow[] =>
  job.escrow === null || job.agentAmount === null || job.escrowClosedAt !== null
    ? []
    : [{ address: job.escrow, ...duesOf(job) }]

/** All of a stray funding is due to the hirer. */
const strayEscrow = ({ address, amount, returnedAt }: Stray): OwingEscrow => ({
  address,
  agent: cred(0n),
  hirer: returnedAt === null ? amount : cred(0n),
})

/**
 * Returns what the hirer gets from an escrow with such a balance: its part while the agent's owner has money
 * due, otherwise all. Without a guard the escrow is closed.
 */
function paymentOf({ agent, hirer }: OwingEscrow, balance: Cred): Pick<Plan, 'amount' | 'guard'> {
  if (agent > 0n) return { amount: hirer, guard: cred(agent + hirer) }
  const hasGift = hirer > 0n && balance > hirer
  return { amount: balance, guard: hasGift ? balance : undefined }
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
    guard === undefined
      ? 'The escrow is closed and its rent returned to you.'
      : guard > amount
        ? 'The escrow stays open.'
        : 'The escrow stays open, because somebody has sent tokens to it. Close it afterwards.'
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
      : 'The escrow holds less than it owes. If a payment was just confirmed, try again in a minute. Otherwise an operator must look at it.',
  )

import { formatAmount, lamports } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import { addressHash } from '../../quotas/address.ts'
import { lookUp } from '../../solana/look-up.ts'
import { refundAccount, refundState } from '../chain/job-accounts.ts'
import { buildOpenRefundAccount } from '../chain/job-transactions.ts'
import type { BuildDeps } from '../chain-deps.ts'
import { newestKeys, requireEligible } from '../guards.ts'
import { type BuiltPayment, intentOf, networkOf, newIntentId, newlyBuilt } from '../transactions/building.ts'
import { jobKeysOf, jobNotFound, recordIntent } from './building.ts'
import { findPaidJob } from './job-queries.ts'

/**
 * Builds the transaction that creates a hirer's refund account, which owns the escrows of its jobs. It is
 * needed once for each key version of jobs.
 * @param input.jobId a job of the hirer, whose key version it needs; without it the newest
 * @param clientAddress the client address that the build counts against, since it needs no tokens
 * @throws ApiError rate_limited, wallet_not_eligible, job_not_found, jobs_off, refund_account_exists,
 *   refund_account_foreign, dependency_unavailable
 */
export async function openRefundAccount(
  deps: BuildDeps,
  hirer: Wallet,
  input: { jobId?: string | undefined },
  clientAddress: string,
): Promise<BuiltPayment & { address: string }> {
  const { settings } = deps
  requireEligible(settings, hirer)
  const keys = jobKeysOf(settings, await keyVersionFor(deps, hirer, input.jobId))
  const account = await refundAccount(hirer, keys.keyVersion)
  const { accounts, ...seen } = await lookUp(deps, { refund: account.address })
  const state = refundState(accounts.refund, { hirer, keys })
  if (state === 'open')
    throw new ApiError('refund_account_exists', `Your refund account is already open at ${account.address}.`)
  if (state === 'foreign') throw refundForeign(account.address)
  const id = newIntentId(deps)
  const held = accounts.refund?.lamports ?? 0n
  const at = { id, rents: seen.rents, held, network: networkOf(deps, seen) }
  const built = await buildOpenRefundAccount({ hirer, keys }, at)
  const rent = seen.rents.multisig > held ? lamports(seen.rents.multisig - held) : lamports(0n)
  const message = `Signing opens your refund account, which will own the escrows of your jobs. What is paid into an escrow leaves it only with your signature and the service’s, or with those of the agent’s owner and the service. It moves no CRED and costs ${formatAmount(built.fee)} SOL network fee and ${formatAmount(rent)} SOL rent, once, not returned.`
  const intent = intentOf(deps, { id, wallet: hirer, keyVersion: keys.keyVersion, built, message, seen })
  const builds = {
    addressHash: await addressHash('empty builds', clientAddress),
    buildsPerAddress: deps.emptyBuildsPerAddress,
  }
  await recordIntent(deps, intent, { kind: 'open_refund', legs: [], builds })
  return { ...newlyBuilt('open_refund', intent), address: account.address }
}

async function keyVersionFor({ db, settings }: BuildDeps, hirer: Wallet, jobId: string | undefined) {
  const newest = newestKeys(settings).keyVersion
  if (jobId === undefined) return newest
  const { job } = await findPaidJob(db, jobId)
  if (job?.hirer !== hirer) throw jobNotFound()
  return job.keyVersion ?? newest
}

/** Makes the error for another account at a refund account's address. */
export const refundForeign = (address: string) =>
  new ApiError(
    'refund_account_foreign',
    `Your wallet has created another account at ${address}, the address of your refund account. This cannot be undone: use another wallet, or wait for the service’s next key.`,
  )

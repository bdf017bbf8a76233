import { cred } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import { lookUp } from '../../solana/look-up.ts'
import { collectorAccount } from '../chain/collector.ts'
import { escrowState, refundAccount } from '../chain/job-accounts.ts'
import { buildJobClose, MAX_CLOSED } from '../chain/job-transactions.ts'
import type { BuildDeps } from '../chain-deps.ts'
import { newestKeys } from '../guards.ts'
import { costWords, intentOf, networkOf, newIntentId, newlyBuilt } from '../transactions/building.ts'
import { type BuiltLeg, recordIntent } from './building.ts'
import { jobError } from './job-errors.ts'
import type { BuiltForJobs } from './job-fund.ts'
import { recordClosed, selectClosableJobs } from './job-queries.ts'

/**
 * Builds the transaction that closes empty escrows of ended jobs, which returns their rent to the hirer. An
 * escrow that somebody has sent tokens to is left out: POST /payments/jobs/refund empties and closes it.
 * @param input.jobId only this job
 * @throws ApiError nothing_due, job_changed, dependency_unavailable
 */
export async function closeEscrows(
  deps: BuildDeps,
  hirer: Wallet,
  input: { jobId?: string | undefined },
): Promise<BuiltForJobs> {
  const { db, now, settings } = deps
  const jobs = await selectClosableJobs(db, { hirer, jobId: input.jobId, limit: MAX_CLOSED })
  if (jobs.length === 0) throw jobError('not_due')
  const { at, accounts, ...seen } = await lookUp(
    deps,
    Object.fromEntries(jobs.flatMap(({ escrow }) => (escrow === null ? [] : [[escrow, escrow]]))),
  )
  const gone = []
  const legs: BuiltLeg[] = []
  let hasGift = false
  for (const { id, owner, escrow, keyVersion } of jobs) {
    if (escrow === null || keyVersion === null) continue
    const state = escrowState(at(escrow), {
      mint: settings.mint,
      refund: (await refundAccount(hirer, keyVersion)).address,
      collector: (await collectorAccount(owner, keyVersion)).address,
    })
    if (state.kind === 'absent') gone.push(escrow)
    if (state.kind !== 'open') continue
    if (state.balance > 0n) hasGift = true
    else legs.push({ jobId: id, address: escrow, amount: cred(0n), fee: cred(0n) })
  }
  await recordClosed(db, { hirer, escrows: gone, now })
  if (legs.length === 0) throw hasGift ? giftLeft() : jobError('not_due')
  const id = newIntentId(deps)
  const network = networkOf(deps, seen)
  const built = buildJobClose({ id, hirer, escrows: legs.map(({ address }) => address), network })
  const message = `Signing closes ${legs.length === 1 ? 'the empty escrow of a job' : `${legs.length} empty escrows`} and returns the rent to you. ${costWords(built)}`
  const { keyVersion } = newestKeys(settings)
  const intent = intentOf(deps, { id, wallet: hirer, keyVersion, built, message, seen })
  await recordIntent(deps, intent, { kind: 'close_escrows', legs })
  return { ...newlyBuilt('close_escrows', intent), jobs: legs }
}

const giftLeft = () =>
  new ApiError(
    'nothing_due',
    'Somebody has sent tokens to the escrow. POST /payments/jobs/refund pays them to you and closes it.',
  )

import type { Wallet } from '../../../schema/wallet.ts'
import * as postgres from '../../db/functions.ts'
import { signerOf } from '../../keys/signers.ts'
import { HOUR_MS } from '../../time.ts'
import { deadlinePassed } from '../../transactions/relay/limits.ts'
import { type RelayPolicy, relay } from '../../transactions/relay/relay.ts'
import { alreadyCosigned, expired, noSuchTransaction } from '../../transactions/relay/signed-once.ts'
import { collectorAccount } from '../chain/collector.ts'
import type { RelayDeps } from '../chain-deps.ts'
import { jobError } from '../jobs/job-errors.ts'
import { type PaymentSettings, treasuryOf } from '../keys.ts'
import { isCosigned } from '../settlement/outcomes.ts'
import { agentSuspended } from './errors.ts'
import { findIntent, findToSign, type Intent } from './intent-queries.ts'

/**
 * Sends a transaction that its wallet has signed. The service signs collections and purchases, too, and never
 * hands them out with its signature.
 * @returns the transaction's signature, which is its id on the network
 * @throws ApiError transaction_not_found, agent_suspended, errors of jobs (jobError), and of `relay`
 */
export async function relayPayment(
  deps: RelayDeps,
  wallet: Wallet,
  { id, transaction }: { id: string; transaction: string },
): Promise<{ id: string; signature: string }> {
  const { intent, isSuspended } = await findToSign(deps.db, id, deps.now)
  if (intent?.wallet !== wallet) throw noSuchTransaction()
  // This stops a resend, too: a transaction that was signed before may not have reached the network.
  if (isSuspended && intent.status === 'open') throw agentSuspended()
  return { id, signature: await relay(deps, policyOf(deps), intent, transaction) }
}

const policyOf = (deps: RelayDeps): RelayPolicy<Intent> => ({
  find: (id) => findIntent(deps.db, id),
  parties: (intent) => partiesOf(deps.settings, intent),
  record: (intent, signed) => record(deps, intent, signed),
  cosign: (intent, message) =>
    isCosigned(intent)
      ? deps.signers().then((signers) => signerOf(signers, intent.keyVersion).sign(message))
      : undefined,
  isFinal: ({ status }) => status === 'landed',
})

/** Records the message that a wallet has signed, unless an agent has been suspended since. */
async function record(
  { db, now, scheduleOrFail }: RelayDeps,
  { id, wallet, transaction, kind }: Intent,
  signed: Parameters<RelayPolicy<Intent>['record']>[1],
): Promise<void> {
  const cosigned = { id, wallet, transaction, ...signed, builtAfter: deadlinePassed(now), now }
  const { outcome } = await postgres.cosignPayment.call(db, cosigned)
  switch (outcome) {
    case 'recorded':
      // Once the funding is confirmed, the job has a deadline, an hour later at the earliest.
      if (kind === 'fund_job') await scheduleOrFail('deadlines', new Date(now.getTime() + HOUR_MS))
      return
    case 'not_found':
      throw noSuchTransaction()
    case 'agent_suspended':
      throw agentSuspended()
    case 'already_cosigned':
      throw alreadyCosigned()
    case 'expired':
      throw expired()
    default:
      throw jobError(outcome)
  }
}

/**
 * Returns the accounts that a transaction names. A payment from budget accounts or escrows names accounts of
 * the other side.
 */
async function partiesOf(settings: PaymentSettings, { kind, wallet, keyVersion, legs, jobs }: Intent) {
  const { address: collector } = await collectorAccount(wallet, keyVersion)
  const isPaying = kind === 'collect' || kind === 'collect_jobs' || kind === 'refund_job'
  const paying = isPaying ? [...legs, ...jobs].map(({ address }) => address) : []
  return { own: [settings.mint, collector], others: [await treasuryOf(settings), ...paying] }
}

import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import { send } from '../../transactions/relay/network.ts'
import { scheduleSettlement } from '../../transactions/relay/schedule.ts'
import { noSuchTransaction } from '../../transactions/relay/signed-once.ts'
import type { VaultDeps } from '../deps.ts'
import { checkSigned, type SignedError } from '../escrow/signed.ts'
import { findTransaction, type Intent } from '../queries.ts'
import { isFinal } from './signing.ts'
import { relayWalletFirst } from './wallet-first.ts'

const ERRORS: Record<SignedError, string> = {
  malformed: 'The transaction is not the Base64 of a transaction with two signatures.',
  other_message: 'The transaction is not the one that was built.',
  cosignature_altered: 'The service’s signature is missing or was altered.',
  owner_signature_invalid: 'The owner’s signature is missing or does not verify.',
}

/**
 * Sends a transaction that the service built and its owner has signed. The authority signs a `wallet_first`
 * transaction last.
 * @returns its signature, which is its id on the network
 * @throws ApiError transaction_not_found, transaction_not_ours, transaction_expired, transaction_failed,
 *   dependency_unavailable, and the errors of `relayWalletFirst`
 */
export async function relayVaultTransaction(
  deps: VaultDeps,
  owner: Wallet,
  { id, transaction }: { id: string; transaction: string },
): Promise<{ id: string; signature: string }> {
  const intent = (await findTransaction(deps.db, id))?.intent
  if (intent?.owner !== owner) throw noSuchTransaction()
  const signature =
    intent.signing === 'wallet_first'
      ? await relayWalletFirst(deps, intent, transaction)
      : await sendAsBuilt(deps, intent, transaction)
  return { id, signature }
}

async function sendAsBuilt(deps: VaultDeps, intent: Intent, transaction: string): Promise<string> {
  const check = await checkSigned(intent.transaction, transaction)
  if (!check.ok) throw new ApiError('transaction_not_ours', ERRORS[check.error])
  const { signature } = check
  if (isFinal(intent)) return signature
  await scheduleSettlement(deps)
  return send(deps.rpc, { transaction, signature })
}

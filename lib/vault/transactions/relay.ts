import type { Wallet } from '../../../schema/wallet.ts'
import { Refusal } from '../../refusal.ts'
import { announceSigned } from '../../transactions/relay/announced.ts'
import { send } from '../../transactions/relay/network.ts'
import { noSuchTransaction } from '../../transactions/relay/signed-once.ts'
import type { VaultDeps } from '../deps.ts'
import { checkSigned, type SignedFault } from '../escrow/signed.ts'
import { findTransaction, type Intent } from '../queries.ts'
import { completeWalletFirst, type SignedTransaction } from './relay-wallet-first.ts'
import { isOver } from './signing.ts'

const FAULTS: Record<SignedFault, string> = {
  malformed: 'The transaction is not the Base64 of a transaction with two signatures.',
  other_message: 'The transaction is not the one that was built.',
  cosignature_altered: 'The service’s signature is missing or was altered.',
  owner_signature_invalid: 'The owner’s signature is missing or does not verify.',
}

type Sent = { id: string; signature: string }

/**
 * Hands a transaction that the service built, now signed by its owner, to the network; of wallet_first,
 * signed by the authority last. Sending it twice lands it once.
 * @returns its signature, which is its id on the network
 * @throws Refusal transaction_not_found, transaction_not_ours, transaction_expired, transaction_failed,
 *   dependency_unavailable, and the refusals of completeWalletFirst
 */
export async function relay(
  deps: VaultDeps,
  owner: Wallet,
  input: { id: string; transaction: string },
): Promise<Sent> {
  const intent = (await findTransaction(deps.db, input.id))?.intent
  if (intent?.owner !== owner) {
    throw noSuchTransaction()
  }
  const signed =
    intent.signing === 'wallet_first'
      ? await completeWalletFirst(deps, intent, input.transaction)
      : await signedAsBuilt(deps, intent, input.transaction)
  return { id: intent.id, signature: isOver(intent) ? signed.signature : await send(deps.rpc, signed) }
}

async function signedAsBuilt(
  deps: VaultDeps,
  intent: Intent,
  transaction: string,
): Promise<SignedTransaction> {
  const check = await checkSigned(intent.transaction, transaction)
  if (!check.ok) throw new Refusal('transaction_not_ours', FAULTS[check.fault])
  if (!isOver(intent)) await announceSigned(deps)
  return { transaction, signature: check.signature }
}

import type { Wallet } from '../../schema/wallet.ts'
import { Refusal } from '../refusal.ts'
import type { VaultDeps } from './deps.ts'
import { checkSigned, type SignedFault } from './escrow/signed.ts'
import { findTransaction } from './queries.ts'

const FAULTS: Record<SignedFault, string> = {
  malformed: 'The transaction is not the Base64 of a transaction with two signatures.',
  other_message: 'The transaction is not the one that was built.',
  cosignature_altered: 'The service’s signature is missing or was altered.',
  owner_signature_invalid: 'The owner’s signature is missing or does not verify.',
}

/**
 * Hands a transaction that the service built, now signed by its owner, to the network. Sending it twice lands
 * it once.
 * @returns its signature, which is its id on the network
 * @throws Refusal transaction_not_found, not_cosigned, transaction_not_ours, transaction_expired,
 *   transaction_failed, dependency_unavailable
 */
export async function relay(
  deps: VaultDeps,
  owner: Wallet,
  input: { id: string; transaction: string },
): Promise<{ id: string; signature: string }> {
  const found = await findTransaction(deps.db, input.id)
  if (found?.unsigned?.owner === owner) {
    throw new Refusal(
      'not_cosigned',
      'The stake was built before your account held its amount, so the service has not signed it: fund it, then ask again.',
    )
  }
  if (found?.intent?.owner !== owner) {
    throw new Refusal('transaction_not_found', 'The service has built no such transaction for you.')
  }
  const check = await checkSigned(found.intent.transaction, input.transaction)
  if (!check.ok) throw new Refusal('transaction_not_ours', FAULTS[check.fault])
  const { kind: intentKind, status } = found.intent
  // Long after it has landed, the network would only answer that it has expired. An unstack counts as landed
  // when any unstack of its position has, so this one may still have to be sent.
  if (status === 'landed' && intentKind !== 'unstack') return { id: input.id, signature: check.signature }
  const sent = await deps.rpc.send(input.transaction)
  if ('signature' in sent) return { id: input.id, signature: sent.signature }
  const { kind, reason } = sent.refused
  if (kind === 'already_landed') return { id: input.id, signature: check.signature }
  if (kind === 'expired') {
    throw new Refusal('transaction_expired', 'The transaction has expired; ask for a new one.')
  }
  throw new Refusal('transaction_failed', `The network refused the transaction: ${reason}`)
}

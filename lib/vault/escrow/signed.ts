import { base58 } from '@scure/base'
import { equalBytes } from '../../keys/bytes.ts'
import { verifiesAny } from '../../keys/signature.ts'
import { addressBytes } from '../../solana/address.ts'
import { leadingAddresses } from '../../solana/message.ts'
import { decodeTransaction } from '../../solana/transaction.ts'

/** The reason why a submitted transaction is not the built one with the owner's signature. */
export type SignedError = 'malformed' | 'other_message' | 'cosignature_altered' | 'owner_signature_invalid'

/** `signature` is the owner's, in Base58: the transaction's id on the network. */
type SignedCheck = { ok: true; signature: string } | { ok: false; error: SignedError }

/**
 * Checks that `signed` is `built` with the owner's signature, and differs in no other byte.
 * @param built the transaction of buildStack, buildClaim or buildUnstack, Base64
 * @param signed the submitted transaction, Base64
 */
export async function checkSigned(built: string, signed: string): Promise<SignedCheck> {
  const [recorded, submitted] = [decodeTransaction(built), decodeTransaction(signed)]
  if (!recorded) throw new TypeError('the built transaction does not decode')
  const [owner] = leadingAddresses(recorded.message, 1)
  // The owner pays the network fee, so it has slot 0. The authority has slot 1.
  const [ownerSignature, cosignature] = submitted?.signatures ?? []
  const recordedCosignature = recorded.signatures[1]
  if (!owner || !recordedCosignature) throw new TypeError('the built transaction lacks its signers')
  if (!submitted || !ownerSignature || !cosignature || submitted.signatures.length !== 2)
    return error('malformed')
  if (!equalBytes(submitted.message, recorded.message)) return error('other_message')
  if (!equalBytes(cosignature, recordedCosignature)) return error('cosignature_altered')
  if (!(await verifiesAny(addressBytes(owner), ownerSignature, [recorded.message])))
    return error('owner_signature_invalid')
  return { ok: true, signature: base58.encode(ownerSignature) }
}

const error = (error: SignedError): SignedCheck => ({ ok: false, error })

import { verifiesAny } from '../../keys/signature.ts'
import { type Address, addressBytes } from '../../solana/address.ts'
import { decodeMessage, type MessageError } from '../../solana/decode-message.ts'
import type { Message } from '../../solana/message.ts'
import { decodeTransaction, encodeTransaction } from '../../solana/transaction.ts'
import type { CosignError } from './errors.ts'
import { messageError, type Parties } from './match.ts'

type Bytes = Uint8Array<ArrayBuffer>

type Cosignable =
  | { ok: true; message: Bytes; ownerSignature: Bytes; blockhash: string }
  | { ok: false; error: CosignError }

/**
 * Checks that the transaction a wallet returned does what the recorded one does and nothing else, so that the
 * authority may sign it. It has the recorded instructions; the wallet may add plain assertions of Lighthouse
 * and a compute budget of its own. Any blockhash passes: the network decides whether it is valid.
 * @param recorded the transaction as it was built, Base64, its signatures empty; its signers are the owner,
 *   and the authority unless the owner signs alone
 * @param submitted the transaction that the wallet returned, Base64: signed in the owner's slot, empty in the
 *   authority's
 * @param parties whose accounts its guards may not name
 * @returns the message of `submitted`, which the authority may sign, and its blockhash in Base58
 * @throws TypeError if `recorded` is not such a transaction
 */
export async function checkWalletFirst(
  recorded: string,
  submitted: string,
  parties: Parties,
): Promise<Cosignable> {
  const built = decode(recorded)
  if (!built.ok) throw new TypeError(`the recorded transaction is invalid: ${built.error}`)
  const owner = ownerOf(built.message)
  const decoded = decode(submitted)
  if (!decoded.ok) return decoded
  const { signatures, bytes, message } = decoded
  const error = messageError(built.message, message, parties)
  if (error) return { ok: false, error }
  // The owner pays the network fee, so it has slot 0. The authority, if it signs, has slot 1.
  const [ownerSignature, authoritySlot] = signatures
  if (!isEmpty(authoritySlot)) return { ok: false, error: 'authority_slot_filled' }
  if (!ownerSignature || !(await verifiesAny(addressBytes(owner), ownerSignature, [bytes])))
    return { ok: false, error: 'owner_signature_invalid' }
  return { ok: true, message: bytes, ownerSignature, blockhash: message.blockhash }
}

/**
 * Adds the signatures to a checked message.
 * @param authoritySignature undefined if the owner signs alone
 * @returns the transaction to send, Base64
 */
export const completeTransaction = (
  message: Bytes,
  ownerSignature: Bytes,
  authoritySignature: Bytes | undefined,
): string =>
  encodeTransaction({
    signatures: authoritySignature ? [ownerSignature, authoritySignature] : [ownerSignature],
    message,
  })

type Decoded =
  | { ok: true; signatures: Bytes[]; bytes: Bytes; message: Message }
  | { ok: false; error: MessageError }

function decode(text: string): Decoded {
  const transaction = decodeTransaction(text)
  if (!transaction) return { ok: false, error: 'malformed' }
  const { signatures, message: bytes } = transaction
  const decoded = decodeMessage(bytes)
  return decoded.ok ? { ok: true, signatures, bytes, message: decoded.message } : decoded
}

/** @throws TypeError unless the signers are the owner, writable, and at most the authority, readonly */
function ownerOf({ accounts }: Message): Address {
  const [owner, authority, ...others] = accounts.filter(({ isSigner }) => isSigner)
  if (!owner || authority?.isWritable || others.length > 0)
    throw new TypeError('the recorded transaction is not for the owner and the authority')
  return owner.address
}

const isEmpty = (signature: Bytes | undefined): boolean => !signature?.some((byte) => byte !== 0)

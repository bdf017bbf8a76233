import { verifiesAny } from '../../keys/signature.ts'
import { type Address, addressBytes } from '../../solana/address.ts'
import { decodeMessage, type MessageFault } from '../../solana/decode-message.ts'
import type { Message } from '../../solana/message.ts'
import { decodeTransaction, encodeTransaction } from '../../solana/transaction.ts'
import type { CosignFault } from './faults.ts'
import { messageFault, type Parties } from './match.ts'

type Bytes = Uint8Array<ArrayBuffer>

type Cosignable =
  | { ok: true; message: Bytes; ownerSignature: Bytes; blockhash: string }
  | { ok: false; fault: CosignFault }

/**
 * Checks that the transaction a wallet returned does what the recorded one does and nothing else, so that the
 * authority may sign it: the recorded instructions, with plain assertions of Lighthouse around them and a
 * compute budget of the wallet's own. The blockhash may be any: whether it is valid is the network's to say.
 * @param recorded the transaction as it was built, Base64, its signatures empty; its signers are the owner,
 *   and the authority unless the owner signs alone
 * @param given the transaction that the wallet returned, Base64: the owner's slot signed, the authority's
 *   empty
 * @param parties whose accounts its guards may not name
 * @returns the message that the authority may sign, of `given`, and its blockhash in Base58
 * @throws TypeError when `recorded` is no such transaction
 */
export async function checkWalletFirst(
  recorded: string,
  given: string,
  parties: Parties,
): Promise<Cosignable> {
  const ours = decode(recorded)
  if (!ours.ok) throw new TypeError(`the recorded transaction is not one: ${ours.fault}`)
  const owner = ownerOf(ours.message)
  const theirs = decode(given)
  if (!theirs.ok) return theirs
  const fault = messageFault(ours.message, theirs.message, parties)
  if (fault) return { ok: false, fault }
  const [ownerSignature, authoritySlot] = theirs.signatures
  if (!isEmpty(authoritySlot)) return { ok: false, fault: 'authority_slot_filled' }
  if (!ownerSignature || !(await verifiesAny(addressBytes(owner), ownerSignature, [theirs.bytes])))
    return { ok: false, fault: 'owner_signature_invalid' }
  return { ok: true, message: theirs.bytes, ownerSignature, blockhash: theirs.message.blockhash }
}

/**
 * Puts the signatures to a checked message.
 * @param authoritySignature undefined where the owner signs alone
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
  | { ok: false; fault: MessageFault }

function decode(text: string): Decoded {
  const transaction = decodeTransaction(text)
  if (!transaction) return { ok: false, fault: 'malformed' }
  const { signatures, message: bytes } = transaction
  const decoded = decodeMessage(bytes)
  return decoded.ok ? { ok: true, signatures, bytes, message: decoded.message } : decoded
}

/** @throws TypeError unless they are the owner, writable, and at most the authority, readonly */
function ownerOf({ accounts }: Message): Address {
  const [owner, authority, ...others] = accounts.filter(({ isSigner }) => isSigner)
  if (!owner || authority?.isWritable || others.length > 0)
    throw new TypeError('the recorded transaction is not one for the owner and the authority')
  return owner.address
}

const isEmpty = (signature: Bytes | undefined): boolean => !signature?.some((byte) => byte !== 0)

import { base64 } from '@scure/base'
import { concat } from '../keys/bytes.ts'
import { compactLength, VERSION_FLAG } from './message.ts'

/** The size of a packet: IPv6's minimum MTU of 1,280 bytes without the headers. */
export const MAX_TRANSACTION_BYTES = 1232
/** Its length in Base64, with padding. Longer text is not decoded at all. */
const MAX_BASE64_LENGTH = Math.ceil(MAX_TRANSACTION_BYTES / 3) * 4

export const SIGNATURE_BYTES = 64

/** A transaction's two parts. A signature not given yet is 64 zero bytes. */
type Transaction = { signatures: Uint8Array<ArrayBuffer>[]; message: Uint8Array<ArrayBuffer> }

/** Encodes the wire form, in Base64. */
export const encodeTransaction = ({ signatures, message }: Transaction): string =>
  base64.encode(concat(compactLength(signatures.length), ...signatures, message))

/**
 * Reads the wire form; undefined if the text is not a transaction of at most 1,232 bytes. It does not decode
 * the message, which may have any version.
 */
export function decodeTransaction(text: string): Transaction | undefined {
  const bytes = decodeBase64(text)
  const count = bytes?.[0]
  if (!bytes || count === undefined || count === 0 || bytes.length > MAX_TRANSACTION_BYTES) return undefined
  const messageStart = 1 + count * SIGNATURE_BYTES
  // The message repeats the number of signatures, in its first byte or after its version byte.
  const isVersioned = (bytes[messageStart] ?? 0) >= VERSION_FLAG
  if (bytes[messageStart + (isVersioned ? 1 : 0)] !== count) return undefined
  const signatures = Array.from({ length: count }, (_, index) =>
    bytes.slice(1 + index * SIGNATURE_BYTES, 1 + (index + 1) * SIGNATURE_BYTES),
  )
  return { signatures, message: bytes.slice(messageStart) }
}

/** Computes the size of the transaction on the wire, in bytes. */
export const transactionSize = ({ signatures, message }: Transaction): number =>
  compactLength(signatures.length).length + signatures.length * SIGNATURE_BYTES + message.length

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > MAX_BASE64_LENGTH) return undefined
  try {
    return new Uint8Array(base64.decode(text))
  } catch {
    return undefined
  }
}

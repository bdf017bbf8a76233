import { concat, equalBytes, utf8 } from '../keys/bytes.ts'

/** The first 16 bytes of every Solana off-chain message, so that it can't be a transaction. */
const SIGNING_DOMAIN = concat([0xff], utf8('solana offchain'))

/** Message formats of version 0: restricted ASCII, limited UTF-8, extended UTF-8. */
const FORMATS = [0, 1, 2]

/**
 * Yields the byte strings whose signature counts as a signature of this text. One is the text itself. The
 * others are the text in Solana's off-chain message envelope, which hardware wallets sign instead. Three
 * envelopes are in use:
 * - version 0 of the Solana SDK and the older Ledger application: format, length, text;
 * - version 0 of the specification: application domain (zero), format, signers, length, text;
 * - version 1: signers, text.
 *
 * Source: Solana off-chain message signing proposal; SRFC 38 for version 1.
 * @param signer 32 bytes: the key of the claimed signer
 */
export function* signableForms(text: string, signer: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  const bytes = utf8(text)
  yield bytes
  const length = [bytes.length & 0xff, bytes.length >> 8]
  const zeroDomain = new Uint8Array(32)
  for (const format of FORMATS) {
    yield concat(SIGNING_DOMAIN, [0, format], length, bytes)
    yield concat(SIGNING_DOMAIN, [0], zeroDomain, [format, 1], signer, length, bytes)
  }
  yield offchainMessage(text, signer)
}

/** Writes a text into an off-chain message of version 1. */
export const offchainMessage = (text: string, signer: Uint8Array): Uint8Array<ArrayBuffer> =>
  concat(SIGNING_DOMAIN, [1, 1], signer, utf8(text))

/**
 * Returns the text in a message that a wallet signed, in any of the forms of {@link signableForms}: the bytes
 * as they are, or the text in an envelope. An envelope of version 0 may name any application domain. The
 * signed text decides what was agreed to, so neither the domain nor the format matters.
 * @param signer 32 bytes: the only signer that an envelope may name
 * @returns undefined for an unknown or malformed envelope, and for other signers
 */
export function signedText(message: Uint8Array, signer: Uint8Array): Uint8Array | undefined {
  // No UTF-8 text begins with the envelope's first byte.
  if (message[0] !== SIGNING_DOMAIN[0]) return message
  if (!equalBytes(message.subarray(0, SIGNING_DOMAIN.length), SIGNING_DOMAIN)) return undefined
  const version = message[SIGNING_DOMAIN.length]
  const bytes = message.subarray(SIGNING_DOMAIN.length + 1)
  if (version === 1) return afterSigner(bytes, signer)
  if (version !== 0) return undefined
  return specifiedText(bytes, signer) ?? sizedText(bytes)
}

/** Version 0 of the specification, after the version: application domain, format, signers, length, text. */
function specifiedText(bytes: Uint8Array, signer: Uint8Array): Uint8Array | undefined {
  const sized = afterSigner(bytes.subarray(33), signer)
  return sized && sizedText(concat([bytes[32] ?? FORMATS.length], sized))
}

/** Reads a format, the text's length, and the text, which must end the message. */
function sizedText(bytes: Uint8Array): Uint8Array | undefined {
  const [format = FORMATS.length, low = 0, high = 0] = bytes
  const text = bytes.subarray(3)
  return FORMATS.includes(format) && text.length === low + (high << 8) ? text : undefined
}

/** Returns what follows a list of signers that names only this one. */
const afterSigner = (bytes: Uint8Array, signer: Uint8Array): Uint8Array | undefined =>
  bytes[0] === 1 && equalBytes(bytes.subarray(1, 33), signer) ? bytes.subarray(33) : undefined

import { concat, utf8 } from '../keys/bytes.ts'

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
  yield concat(SIGNING_DOMAIN, [1, 1], signer, bytes)
}

import { concat, utf8 } from '../keys/bytes.ts'

/** The 16 bytes that begin every Solana off-chain message, so that it can't pass for a transaction. */
const SIGNING_DOMAIN = concat([0xff], utf8('solana offchain'))

/** Message formats of version 0: restricted ASCII, limited UTF-8, extended UTF-8. */
const FORMATS = [0, 1, 2]

/**
 * Yields the byte strings whose signature counts as one of this text: the text itself, and the text in
 * Solana's off-chain message envelope, which hardware wallets sign instead. Three envelopes are in use:
 * version 0 as the Solana SDK and the older Ledger application write it (format, length, text), version 0 as
 * specified (application domain, format, signers, length, text; the domain left zero) and version 1 (signers,
 * text).
 * Source: Solana off-chain message signing proposal; SRFC 38 for version 1.
 * @param signer 32 bytes, the key that is said to have signed
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

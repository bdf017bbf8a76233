const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
/** The first byte of a versioned message is greater; a legacy message begins with its header. */
const LEGACY_MAX = 127

/**
 * Adds a signature to a transaction's wire form, at its signer's position.
 * @param transaction count of signatures, signatures, message; missing signatures are zeros
 * @throws TypeError if the bytes are not a transaction, or the key is not one of its signers
 */
export async function addSignature(
  transaction: Uint8Array,
  publicKey: Uint8Array,
  sign: (message: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  // Both counts take one byte: a transaction of 1,232 bytes has no room for 128 signatures or keys.
  const count = transaction[0] ?? 0
  const message = transaction.subarray(1 + count * SIGNATURE_BYTES)
  const headerAt = (message[0] ?? 0) > LEGACY_MAX ? 1 : 0
  if (count === 0 || message[headerAt] !== count) throw new TypeError('not a transaction')
  // After the header (3 bytes) and the count of keys (1).
  const keys = message.subarray(headerAt + 4)
  const isOwn = (_key: unknown, signer: number) =>
    publicKey.every((byte, index) => byte === keys[signer * KEY_BYTES + index])
  const position = Array.from({ length: count }).findIndex(isOwn)
  if (position === -1) throw new TypeError('the transaction does not need this wallet’s signature')
  const signed = transaction.slice()
  signed.set(await sign(message), 1 + position * SIGNATURE_BYTES)
  return signed
}

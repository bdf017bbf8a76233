import { hex } from '@scure/base'

/**
 * The encoded y coordinates of the eight points of small order, without x's sign. Anybody can sign for a key
 * that is such a point, and a signature whose R is one commits to nothing. ed25519-dalek's verify_strict,
 * which the Solana runtime uses, rejects both.
 */
const SMALL_ORDER_YS = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
])

/**
 * Verifies an Ed25519 signature (RFC 8032) as strictly as the Solana runtime (ed25519-dalek
 * `verify_strict`). It requires canonical encodings, no public key or R of small order, S below the group
 * order, and the cofactorless equation. WebCrypto does the arithmetic and rejects a key that is not a point
 * of the curve. The checks come first because WebCrypto accepts the all-zero key for about one message in
 * four.
 * @param publicKey 32 bytes
 * @param signature 64 bytes, R then S
 * @returns true only for a signature of any one of `messages`
 */
export async function verifiesAny(
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  messages: Iterable<Uint8Array<ArrayBuffer>>,
): Promise<boolean> {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  if (!isCanonicalPoint(publicKey) || !isCanonicalPoint(signature.subarray(0, 32))) return false
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  for (const message of messages) {
    if (await crypto.subtle.verify('Ed25519', key, signature, message)) return true
  }
  return false
}

/**
 * Checks that 32 bytes have a canonical encoding and are not a point of small order. The two points with x =
 * 0, whose sign bit must not be set, are of small order.
 */
export function isCanonicalPoint(encoded: Uint8Array): boolean {
  const y = encoded.slice()
  y[31] = (y[31] ?? 0) & 0x7f
  return isBelowFieldOrder(y) && !SMALL_ORDER_YS.has(hex.encode(y))
}

/** Checks that y < 2²⁵⁵ - 19, little-endian. */
const isBelowFieldOrder = (y: Uint8Array): boolean =>
  (y[0] ?? 0) < 0xed || y[31] !== 0x7f || y.subarray(1, 31).some((byte) => byte !== 0xff)

import { Point } from '@noble/ed25519'
import { hex } from '@scure/base'

/**
 * The canonical encodings of the eight points of small order. A signature whose R is one of them commits to
 * nothing; ed25519-dalek's verify_strict, which the Solana runtime uses, refuses it.
 */
const SMALL_ORDER_POINTS = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
])

/**
 * Verifies an Ed25519 signature (RFC 8032) exactly as strictly as the Solana runtime (ed25519-dalek
 * `verify_strict`): canonical encodings, no small-order public key, no small-order R, S below the group
 * order, the cofactorless equation. WebCrypto does the arithmetic; it alone would accept the all-zero key for
 * about one message in four, hence the checks before it.
 * @param publicKey 32 bytes
 * @param signature 64 bytes, R then S
 * @returns true only for a signature of any one of `messages`
 */
export async function verifiesAny(
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  messages: Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  if (signature.length !== 64 || !isSoundKey(publicKey)) return false
  if (SMALL_ORDER_POINTS.has(hex.encode(signature.subarray(0, 32)))) return false
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  for (const message of messages) {
    if (await crypto.subtle.verify('Ed25519', key, signature, message)) return true
  }
  return false
}

/** Tells whether a key is the canonical encoding of a curve point that is not of small order. */
function isSoundKey(publicKey: Uint8Array): boolean {
  if (publicKey.length !== 32) return false
  try {
    return !Point.fromBytes(publicKey).isSmallOrder()
  } catch {
    return false
  }
}

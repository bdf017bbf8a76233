import { Point } from '@noble/ed25519'
import { hex } from '@scure/base'

/**
 * Verifies an Ed25519 signature (RFC 8032) as strictly as the Solana runtime (ed25519-dalek
 * `verify_strict`). It requires canonical encodings, no public key or R of small order, S below the group
 * order, and the cofactorless equation. WebCrypto computes the equation, and accepts the all-zero key for
 * about one message in four. The points are checked last, so that a wrong signature costs no more.
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
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  for (const message of messages) {
    // WebCrypto compares the bytes of R, so that only a canonical R gets here.
    if (await crypto.subtle.verify('Ed25519', key, signature, message))
      return isStrictPoint(publicKey) && !isSmallOrder(signature.subarray(0, 32))
  }
  return false
}

/**
 * Returns whether bytes are the canonical encoding of a point of Edwards25519 that is not of small order.
 * Anybody can sign for a key of small order, and a signature whose R is of small order commits to nothing.
 */
export function isStrictPoint(encoded: Uint8Array): boolean {
  try {
    Point.fromBytes(encoded)
  } catch {
    return false
  }
  return !isSmallOrder(encoded)
}

/** A point of order eight. Its multiples are the eight points of small order. */
const ORDER_EIGHT = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'

/** Made once per isolate, so that a login decompresses its key, but not R. */
let smallOrder: Set<string> | undefined

function isSmallOrder(canonical: Uint8Array): boolean {
  smallOrder ??= smallOrderPoints()
  return smallOrder.has(hex.encode(canonical))
}

function smallOrderPoints(): Set<string> {
  const generator = Point.fromHex(ORDER_EIGHT)
  const points = new Set<string>()
  for (let point = generator; points.size < 8; point = point.add(generator)) points.add(point.toHex())
  return points
}

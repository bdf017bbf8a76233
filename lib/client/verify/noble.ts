import { Point } from '@noble/ed25519'
import { sha256 as digest } from '@noble/hashes/sha2.js'

/*
 * The package contains what this imports. Web Crypto can't replace it: React Native lacks its digests, and no
 * runtime has its test of a point.
 */

export const sha256 = (...parts: Uint8Array[]): Uint8Array =>
  parts.reduce((hash, part) => hash.update(part), digest.create()).digest()

/** Returns whether 32 bytes are a point of Edwards25519 by the network's rule, which is ZIP 215's. */
export function isOnCurve(bytes: Uint8Array): boolean {
  try {
    Point.fromBytes(bytes, true)
    return true
  } catch {
    return false
  }
}

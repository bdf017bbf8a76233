import { Point } from '@noble/ed25519'
import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOnCurve } from '../../../lib/solana/address.ts'
import { bytesOf, scalarHex, smallOrderPoints } from '../../support/signatures.ts'

/** Whether ZIP 215 decompresses it, as an implementation says that computes the point. */
function decompresses(bytes: Uint8Array): boolean {
  try {
    Point.fromBytes(bytes, true)
    return true
  } catch {
    return false
  }
}

const withSign = (bytes: Uint8Array) => bytes.with(31, (bytes[31] ?? 0) | 0x80)

describe('isOnCurve', () => {
  it('is true of exactly what decompresses to a point', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(bytes, (encoded) => {
        expect(isOnCurve(encoded)).toBe(decompresses(encoded))
      }),
      { numRuns: 1_000 },
    )
  })

  it('is right for the smallest and largest numbers, canonical or not, of either sign', () => {
    const { p } = Point.CURVE()
    const edges = Array.from({ length: 60 }, (_, i) => BigInt(i)).flatMap((i) => [
      i,
      p - 1n - i,
      p + (i % 19n),
    ])
    // Multiples of powers of two: what the algorithm strips.
    edges.push(...Array.from({ length: 254 }, (_, i) => 1n << BigInt(i)))
    for (const encoded of edges.map((y) => bytesOf(scalarHex(y)))) {
      expect(isOnCurve(encoded)).toBe(decompresses(encoded))
      expect(isOnCurve(withSign(encoded))).toBe(decompresses(withSign(encoded)))
    }
  })

  it('is true of the points of small order and of keys, as web3.js says', () => {
    for (const point of smallOrderPoints()) expect(isOnCurve(point.toBytes())).toBe(true)
    for (let i = 0; i < 20; i++) {
      const bytes = crypto.getRandomValues(new Uint8Array(32))
      expect(isOnCurve(bytes)).toBe(PublicKey.isOnCurve(bytes))
    }
  })
})

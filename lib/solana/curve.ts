import { hex } from '@scure/base'

/** Edwards25519 (RFC 8032, 5.1): the field's order, and the curve's constant d. */
const P = 2n ** 255n - 19n
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n

/**
 * Tells whether 32 bytes decompress to a point of Edwards25519 as the runtime decides it: its decompression
 * accepts what ZIP 215 does, encodings that are not canonical included.
 *
 * There is an x for y when x² = (y² - 1) / (dy² + 1) is a square, and a quotient is one exactly when the
 * product is. Only whether is asked, not which x, so this takes a quarter of a decompression's time.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const y = BigInt.asUintN(255, BigInt(`0x${hex.encode(bytes.toReversed())}`))
  const y2 = (y * y) % P
  return isSquare(((y2 + P - 1n) * (D * y2 + 1n)) % P)
}

/**
 * Tells whether `value` is a square modulo P, by its Jacobi symbol: 1 or, of zero, 0.
 * Source: Handbook of Applied Cryptography, algorithm 2.149.
 */
function isSquare(value: bigint): boolean {
  let [a, n, symbol] = [value, P, 1]
  while (a !== 0n) {
    const zeros = trailingZeros(a)
    a >>= BigInt(zeros)
    const nMod8 = Number(BigInt.asUintN(3, n))
    if (zeros % 2 === 1 && (nMod8 === 3 || nMod8 === 5)) symbol = -symbol
    if (nMod8 % 4 === 3 && BigInt.asUintN(2, a) === 3n) symbol = -symbol
    ;[a, n] = [n % a, a]
  }
  return n !== 1n || symbol === 1
}

/** How often a number above 0 can be halved. */
function trailingZeros(value: bigint): number {
  const low = Number(BigInt.asUintN(31, value))
  if (low === 0) return 31 + trailingZeros(value >> 31n)
  return 31 - Math.clz32(low & -low)
}

import { base58, hex } from '@scure/base'
import { type Address, publicKeyBytes } from '../../schema/wallet.ts'
import { concat, utf8 } from '../keys/bytes.ts'

export type { Address } from '../../schema/wallet.ts'

/** The runtime's limit on one seed, in bytes (MAX_SEED_LEN). */
const MAX_SEED_BYTES = 32

export const isAddress = (text: string): text is Address => publicKeyBytes(text) !== undefined

/** @throws TypeError if the text is not Base58 of 32 bytes */
export function parseAddress(text: string): Address {
  if (!publicKeyBytes(text)) throw new TypeError(`${text} is not a Solana address`)
  return text as Address
}

/** @param bytes 32 bytes */
export const addressOf = (bytes: Uint8Array): Address => base58.encode(bytes) as Address

export const addressBytes = (address: Address): Uint8Array<ArrayBuffer> =>
  new Uint8Array(base58.decode(address))

/**
 * Returns the address at which only `base` can create an account of `program`: SHA-256(base ‖ seed ‖
 * program). Source: `Pubkey::create_with_seed`, solana-pubkey.
 * @throws RangeError if the seed has more than 32 bytes
 */
export async function createWithSeed(base: Address, seed: string, program: Address): Promise<Address> {
  const seedBytes = utf8(seed)
  if (seedBytes.length > MAX_SEED_BYTES)
    throw new RangeError(`the seed "${seed}" is longer than ${MAX_SEED_BYTES} bytes`)
  return addressOf(await sha256(addressBytes(base), seedBytes, addressBytes(program)))
}

/**
 * Returns the first address that a program derives from these seeds and that is off the curve, so without a
 * private key. Source: `Pubkey::find_program_address`, solana-pubkey.
 */
export async function findProgramAddress(seeds: Uint8Array[], program: Address): Promise<Address> {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = await sha256(...seeds, [bump], addressBytes(program), utf8('ProgramDerivedAddress'))
    if (!isOnCurve(hash)) return addressOf(hash)
  }
  throw new RangeError('no bump gives an off-curve address')
}

const sha256 = async (...parts: ArrayLike<number>[]): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', concat(...parts)))

/** Edwards25519 (RFC 8032, 5.1): the field's order, and the curve's constant d. */
const P = 2n ** 255n - 19n
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n

/**
 * Returns whether 32 bytes decompress to a point of Edwards25519 by the runtime's rule. Like ZIP 215 it
 * accepts encodings that are not canonical.
 *
 * y has an x if x² = (y² - 1) / (dy² + 1) is a square. A quotient is a square if and only if the product is.
 * This does not compute x, so it takes a quarter of a decompression's time.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const y = BigInt.asUintN(255, BigInt(`0x${hex.encode(bytes.toReversed())}`))
  const y2 = (y * y) % P
  return isSquare(((y2 + P - 1n) * (D * y2 + 1n)) % P)
}

/**
 * Returns whether `value` is a square modulo P, by its Jacobi symbol: 1, or 0 for zero.
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

/** Returns how often a number above 0 can be halved. */
function trailingZeros(value: bigint): number {
  const low = Number(BigInt.asUintN(31, value))
  if (low === 0) return 31 + trailingZeros(value >> 31n)
  return 31 - Math.clz32(low & -low)
}

import { Point } from '@noble/ed25519'
import { base58 } from '@scure/base'
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

/**
 * Returns whether 32 bytes decompress to a point of Edwards25519 by the runtime's rule. Like ZIP 215 it
 * accepts encodings that are not canonical.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  try {
    Point.fromBytes(bytes, true)
    return true
  } catch {
    return false
  }
}

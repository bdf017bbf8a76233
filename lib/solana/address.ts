import { Point } from '@noble/ed25519'
import { base58 } from '@scure/base'
import { publicKeyBytes } from '../../schema/wallet.ts'
import { concat, utf8 } from '../crypto/bytes.ts'

/** Any address on Solana, Base58 of 32 bytes: a wallet's, or that of an account derived from a seed. */
export type Address = string & { readonly __brand: 'Address' | 'Wallet' }

/** The runtime's limit on one seed, in bytes (MAX_SEED_LEN). */
const MAX_SEED_BYTES = 32

export const isAddress = (text: string): text is Address => publicKeyBytes(text) !== undefined

/**
 * Parses an address.
 * @throws TypeError when the text is not Base58 of 32 bytes
 */
export function parseAddress(text: string): Address {
  if (!publicKeyBytes(text)) throw new TypeError(`${text} is not a Solana address`)
  return text as Address
}

/**
 * Parses a setting's list of addresses, separated by commas; empty text is an empty list.
 * @throws TypeError when one of them is not an address
 */
export const parseAddresses = (list: string): Address[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseAddress)

/**
 * Encodes an address.
 * @param bytes 32 of them
 */
export const addressOf = (bytes: Uint8Array): Address => base58.encode(bytes) as Address

export const addressBytes = (address: Address): Uint8Array<ArrayBuffer> =>
  new Uint8Array(base58.decode(address))

/**
 * Derives the address where only `base` can create an account of `program`: SHA-256(base ‖ seed ‖ program).
 * Source: `Pubkey::create_with_seed`, solana-pubkey.
 * @throws RangeError for a seed of more than 32 bytes
 */
export async function createWithSeed(base: Address, seed: string, program: Address): Promise<Address> {
  const seedBytes = utf8(seed)
  if (seedBytes.length > MAX_SEED_BYTES)
    throw new RangeError(`the seed "${seed}" is longer than ${MAX_SEED_BYTES} bytes`)
  return addressOf(await sha256(addressBytes(base), seedBytes, addressBytes(program)))
}

/**
 * Finds the first address that a program derives from these seeds and that is off the curve, so has no
 * private key.
 * Source: `Pubkey::find_program_address`, solana-pubkey.
 */
export async function findProgramAddress(seeds: Uint8Array[], program: Address): Promise<Address> {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = await sha256(...seeds, [bump], addressBytes(program), utf8('ProgramDerivedAddress'))
    if (!isOnCurve(hash)) return addressOf(hash)
  }
  throw new RangeError('no bump gives an address off the curve')
}

/** Tells whether bytes are a point, as the runtime does: like ZIP 215 it accepts non-canonical encodings. */
function isOnCurve(bytes: Uint8Array): boolean {
  try {
    Point.fromBytes(bytes, true)
    return true
  } catch {
    return false
  }
}

const sha256 = async (...parts: ArrayLike<number>[]): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', concat(...parts)))

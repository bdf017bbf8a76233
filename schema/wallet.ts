import { base58 } from '@scure/base'

/** A Solana wallet address: Base58 of a 32-byte Ed25519 public key. */
export type Wallet = string & { readonly __brand: 'Wallet' }

/** The longest Base58 texts of 32 and 64 bytes. Longer input is not decoded at all: decoding is quadratic. */
const MAX_LENGTH_OF_32_BYTES = 44
const MAX_LENGTH_OF_64_BYTES = 88

/** Decodes a Base58 public key or address into its 32 bytes; undefined for any other text. */
export const publicKeyBytes = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  decode(text, 32, MAX_LENGTH_OF_32_BYTES)

/** Decodes a Base58 signature into its 64 bytes; undefined for any other text. */
export const signatureBytes = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  decode(text, 64, MAX_LENGTH_OF_64_BYTES)

/** Checks that the text is a wallet address: Base58 of exactly 32 bytes. */
export const isWallet = (text: string): text is Wallet => publicKeyBytes(text) !== undefined

function decode(text: string, byteLength: number, maxLength: number): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > maxLength) return undefined
  try {
    const bytes = base58.decode(text)
    return bytes.length === byteLength ? new Uint8Array(bytes) : undefined
  } catch {
    return undefined
  }
}

/**
 * Any address on Solana, Base58 of 32 bytes: a wallet's, or an account's that is derived from a seed.
 */
export type Address = string & { readonly __brand: 'Address' | 'Wallet' }

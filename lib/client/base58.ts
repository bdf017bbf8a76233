import { base58 as encode } from './encoding.ts'
import { fromBase58 as decode } from './from-base58.ts'

/** Base58, Solana's form of keys and signatures: `encode` bytes, `decode` text. */
export const base58 = { encode, decode }

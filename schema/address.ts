/**
 * Any address on Solana, Base58 of 32 bytes. A wallet is one; an account that a seed was hashed into is
 * another.
 */
export type Address = string & { readonly __brand: 'Address' | 'Wallet' }

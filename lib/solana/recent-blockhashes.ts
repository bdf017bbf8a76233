import { type Address, addressOf } from './address.ts'
import type { ChainAccount } from './token-state.ts'

/** The account with the chain's newest 150 blockhashes, which durable nonces use. */
export const RECENT_BLOCKHASHES_SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111' as Address

/** Its length, which exceeds the default read of an account. */
export const RECENT_BLOCKHASHES_BYTES = 6_008

/** A count of 64 bits; then each blockhash with the price of a signature then, the newest first. */
const COUNT_BYTES = 8
const HASH_BYTES = 32
const ENTRY_BYTES = HASH_BYTES + 8

/**
 * Returns the number of blocks after a blockhash. No method of a node has it, and a blockhash that is valid
 * now may expire in the next second.
 * @returns undefined if the blockhash is not listed
 */
export function blockhashAge(sysvar: ChainAccount | undefined, blockhash: string): number | undefined {
  const data = sysvar?.data ?? new Uint8Array()
  for (let at = COUNT_BYTES; at + ENTRY_BYTES <= data.length; at += ENTRY_BYTES)
    if (addressOf(data.subarray(at, at + HASH_BYTES)) === blockhash) return (at - COUNT_BYTES) / ENTRY_BYTES
  return undefined
}

import { type Address, addressOf } from './address.ts'
import type { ChainAccount } from './token-state.ts'

/** The account in which the chain lists its newest 150 blockhashes, which durable nonces are made of. */
export const RECENT_BLOCKHASHES_SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111' as Address

/** How long it is, which is longer than what is read of an account by default. */
export const RECENT_BLOCKHASHES_BYTES = 6_008

/** A count of 64 bits; then each blockhash with what a signature cost then, the newest first. */
const COUNT_BYTES = 8
const HASH_BYTES = 32
const ENTRY_BYTES = HASH_BYTES + 8

/**
 * Tells how many blocks were made after a blockhash: no method of a node does, and one that is valid now
 * may not be in the next second.
 * @returns undefined where it is not listed, so that nothing is known of it
 */
export function blockhashAge(sysvar: ChainAccount | undefined, blockhash: string): number | undefined {
  const data = sysvar?.data ?? new Uint8Array()
  for (let at = COUNT_BYTES; at + ENTRY_BYTES <= data.length; at += ENTRY_BYTES)
    if (addressOf(data.subarray(at, at + HASH_BYTES)) === blockhash) return (at - COUNT_BYTES) / ENTRY_BYTES
  return undefined
}

import { base58 } from '@scure/base'
import { type Address, type EncodedAccount, lamports } from '@solana/kit'
import { RECENT_BLOCKHASHES_SYSVAR } from '../../solana/recent-blockhashes.ts'

const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111' as Address
const COUNT_BYTES = 8
const HASH_BYTES = 32
const ENTRY_BYTES = HASH_BYTES + 8
/** The price of a signature, which the sysvar lists with each blockhash. */
const LAMPORTS_PER_SIGNATURE = 5_000n

/** The sysvar that lists recent blockhashes, as a validator writes it. @param blockhashes the newest first */
export function recentBlockhashesAccount(blockhashes: string[]): EncodedAccount {
  const data = new Uint8Array(COUNT_BYTES + blockhashes.length * ENTRY_BYTES)
  const view = new DataView(data.buffer)
  view.setBigUint64(0, BigInt(blockhashes.length), true)
  for (const [index, blockhash] of blockhashes.entries()) {
    const at = COUNT_BYTES + index * ENTRY_BYTES
    data.set(base58.decode(blockhash), at)
    view.setBigUint64(at + HASH_BYTES, LAMPORTS_PER_SIGNATURE, true)
  }
  return {
    address: RECENT_BLOCKHASHES_SYSVAR as string as Address,
    data,
    executable: false,
    lamports: lamports(42_706_560n),
    programAddress: SYSVAR_OWNER,
    space: BigInt(data.length),
  }
}

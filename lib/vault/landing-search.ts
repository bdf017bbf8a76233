import { base64 } from '@scure/base'
import { equalBytes } from '../crypto/bytes.ts'
import type { Rpc } from '../solana/rpc.ts'
import { decodeTransaction } from '../solana/transaction.ts'
import { MAX_SIGNATURES_SEARCHED } from './limits.ts'
import type { Intent } from './queries.ts'

/**
 * Tells whether a stack whose position is not to be seen has landed all the same: with the recovery key its
 * owner can withdraw in the same block, and no account remains to tell. The position's address is named by
 * the stack's own transaction alone, unless somebody takes trouble; that one carries the stack's id in its
 * memo and, which nobody can forge, exactly the message that was cosigned.
 *
 * Where more transactions claim to be it than are searched, it counts as landed: whoever hides it among
 * others pays for each, and what is charged is the same wallet's limit.
 * @param finalizedSlot what the node must have reached, past the stack's last block
 * @throws Refusal dependency_unavailable
 */
export async function hasLeft(rpc: Rpc, stack: Intent, finalizedSlot: bigint): Promise<boolean> {
  const [leg] = stack.legs
  const ours = signedMessage(stack)
  if (!leg || !ours) return false
  const landed = await rpc.landed(leg.address, finalizedSlot)
  const named = landed.filter(({ memo }) => memo?.includes(stack.id))
  if (named.length > MAX_SIGNATURES_SEARCHED) return true
  for (const { signature } of named.toReversed()) {
    const theirs = await rpc.transaction(signature)
    const message = theirs === undefined ? undefined : decodeTransaction(theirs)?.message
    if (message && equalBytes(message, ours)) return true
  }
  return false
}

/** The message that the authority signed. */
const signedMessage = ({ cosignedMessage, transaction }: Intent): Uint8Array | undefined =>
  cosignedMessage === null ? decodeTransaction(transaction)?.message : base64.decode(cosignedMessage)

import { base64 } from '@scure/base'
import { equalBytes } from '../crypto/bytes.ts'
import type { Address } from '../solana/address.ts'
import type { Rpc } from '../solana/rpc.ts'
import { decodeTransaction } from '../solana/transaction.ts'
import type { Intent } from './intent-queries.ts'

/**
 * How many calls of the node one account's search makes: for a thousand listed transactions each, or for one
 * of those that carry the collection's id. Anybody can add to either, so beyond this nothing is proven.
 */
const MAX_CALLS_FOR_ACCOUNT = 20

/** How many calls several searches may still make together. */
export type Calls = { left: number }

/**
 * Tells whether a cosigned collection has landed under another signature than was recorded: its wallet can
 * sign the same message twice. It looks through the transactions of one of the budget accounts until it has
 * passed the slot that the collection was built at; that account was opened before, so a node that keeps its
 * history has an older one.
 * @param finalizedSlot what the node must have reached, past the collection's last block
 * @param calls what it may ask the node, and takes from; without it, as much as there is
 * @returns undefined when no account's list reaches back so far, within these calls: nothing is proven
 * @throws Refusal dependency_unavailable
 */
export async function hasLanded(
  rpc: Rpc,
  intent: Intent,
  finalizedSlot: bigint,
  calls?: Calls,
): Promise<boolean | undefined> {
  for (const { address } of intent.legs) {
    const found = await searchOf(rpc, intent, { address, finalizedSlot, mayAsk: turnsOf(calls) })
    if (found !== undefined) return found
  }
  return undefined
}

/** Makes what takes one call of one account's, and of all, and says whether there was one. */
function turnsOf(calls: Calls | undefined): () => boolean {
  if (!calls) return () => true
  let left = MAX_CALLS_FOR_ACCOUNT
  return () => {
    if (left === 0 || calls.left === 0) return false
    left -= 1
    calls.left -= 1
    return true
  }
}

async function searchOf(
  rpc: Rpc,
  intent: Intent,
  { address, finalizedSlot, mayAsk }: { address: Address; finalizedSlot: bigint; mayAsk(): boolean },
): Promise<boolean | undefined> {
  let before: string | undefined
  let reachesBack = false
  while (mayAsk()) {
    const listed = await rpc.history(address, finalizedSlot, before)
    for (const { signature, slot, hasFailed, memo } of listed) {
      if (slot < intent.builtSlot) return false
      reachesBack ||= slot === intent.builtSlot
      if (hasFailed || !memo?.includes(intent.id)) continue
      const carries = mayAsk() ? await carriesMessage(rpc, intent, signature) : undefined
      if (carries !== false) return carries
    }
    before = listed.at(-1)?.signature
    if (before === undefined) return reachesBack ? false : undefined
  }
  return undefined
}

/** @returns undefined when the node does not have the transaction that it has listed */
async function carriesMessage(
  rpc: Rpc,
  { cosignedMessage }: Intent,
  signature: string,
): Promise<boolean | undefined> {
  const transaction = await rpc.transaction(signature)
  if (transaction === undefined) return undefined
  const message = decodeTransaction(transaction)?.message
  return message !== undefined && equalBytes(message, base64.decode(cosignedMessage ?? ''))
}

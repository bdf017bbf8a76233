import { base64 } from '@scure/base'
import { equalBytes } from '../crypto/bytes.ts'
import type { Address } from '../solana/address.ts'
import type { Rpc } from '../solana/rpc.ts'
import { decodeTransaction } from '../solana/transaction.ts'
import type { Intent } from './intent-queries.ts'

/**
 * How many calls one search of one account's transactions makes, of a thousand each. Hiding a collection
 * behind more costs whoever does it the fees of as many transactions, and leaves it open, not expired.
 */
const MAX_PAGES = 10

/**
 * Tells whether a cosigned collection has landed under another signature than was recorded: its wallet can
 * sign the same message twice. It looks through the transactions of one of the budget accounts until it has
 * passed the slot that the collection was built at; that account was opened before, so a node that keeps its
 * history has an older one.
 * @param finalizedSlot what the node must have reached, past the collection's last block
 * @returns undefined when no account's list reaches back so far: nothing is proven
 * @throws Refusal dependency_unavailable
 */
export async function hasLanded(
  rpc: Rpc,
  intent: Intent,
  finalizedSlot: bigint,
): Promise<boolean | undefined> {
  for (const { address } of intent.legs) {
    const found = await searchOf(rpc, intent, address, finalizedSlot)
    if (found !== undefined) return found
  }
  return undefined
}

async function searchOf(
  rpc: Rpc,
  intent: Intent,
  address: Address,
  finalizedSlot: bigint,
): Promise<boolean | undefined> {
  let before: string | undefined
  let reachesBack = false
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await rpc.history(address, finalizedSlot, before)
    for (const { signature, slot, hasFailed, memo } of listed) {
      if (slot < intent.builtSlot) return false
      reachesBack ||= slot === intent.builtSlot
      if (hasFailed || !memo?.includes(intent.id)) continue
      const carries = await carriesMessage(rpc, intent, signature)
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

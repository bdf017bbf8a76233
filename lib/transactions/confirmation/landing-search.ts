import { equalBytes } from '../../keys/bytes.ts'
import type { Address } from '../../solana/address.ts'
import { HISTORY_PAGE, type LandedSignature, type Rpc } from '../../solana/rpc.ts'
import { decodeTransaction } from '../../solana/transaction.ts'

/*
 * Whether a cosigned message has landed, where neither a signature nor a balance tells. Its fee payer can
 * sign the same message twice, so it is looked for among the transactions that name one of its accounts.
 * Anybody can add to these, for a network fee each. So nothing but the very message proves that it has
 * landed, nothing but a list that reaches back to the slot it was built at proves that it has not, and a
 * search that was cut short goes on where it ended: the transactions that it has passed are final.
 */

/** The message that is searched for: `id` stands in the memo of the message. */
export type Sought = {
  id: string
  message: Uint8Array
  /** The slot that it was built at: it has landed at this slot or later, if at all. */
  builtSlot: bigint
  /** The accounts to look through, one after the other where the node's list of the first is too short. */
  addresses: Address[]
  /**
   * Whether no transaction named the account before, and the node has forgotten none since: then a list that
   * ends reaches back far enough.
   */
  isNewAccount: boolean
}

/** How many calls of the node several searches may still make together. */
export type Calls = { left: number }

/** How many of them one search makes at most, so that it leaves some for others. */
export const MAX_CALLS_OF_SEARCH = 20

/**
 * `unproven`: where the next search goes on, or null to begin anew. `isCutShort`: only because no more calls
 * might be made, so that the next search may follow at once; else the node could prove nothing.
 */
export type Found = { landed: boolean } | { unproven: string | null; isCutShort: boolean }

/**
 * Where the search of an account stands: `seen` is the last transaction that was looked at, `before` the one
 * listed before it. Asked for transactions older than `before`, a node has to list `seen` first: one that
 * does not know `before` lists nothing, which would look like the end.
 */
type SearchCursor = { address: Address; before: string; seen: string }

const cursorOf = (text: string | null): SearchCursor | undefined => {
  const [address, before, seen] = text?.split(':') ?? []
  return address && before && seen ? { address: address as Address, before, seen } : undefined
}

type Search = {
  /** What the node must have reached, past the message's last block. */
  finalizedSlot: bigint
  /** Where an earlier search has ended. */
  searchedTo: string | null
  /** What it may ask the node, and takes from. */
  calls: Calls
  maxCalls?: number
}

/**
 * Searches the finalized transactions for a message, newest first.
 * @throws Refusal dependency_unavailable
 */
export async function searchMessage(
  rpc: Rpc,
  sought: Sought,
  { finalizedSlot, searchedTo, calls, maxCalls = MAX_CALLS_OF_SEARCH }: Search,
): Promise<Found> {
  const own = { left: Math.min(calls.left, maxCalls) }
  const takeCall = (): boolean => {
    if (own.left <= 0) return false
    own.left -= 1
    calls.left -= 1
    return true
  }
  const from = cursorOf(searchedTo)
  const start = from ? Math.max(0, sought.addresses.indexOf(from.address)) : 0
  for (const address of sought.addresses.slice(start)) {
    const cursor = address === from?.address ? from : undefined
    const found = await searchAccount(rpc, sought, { address, finalizedSlot, takeCall, cursor })
    if (found) return found
  }
  return { unproven: null, isCutShort: false }
}

type AccountSearch = {
  address: Address
  finalizedSlot: bigint
  /** Says whether another call may be made. */
  takeCall(): boolean
  cursor: SearchCursor | undefined
}

/** @returns undefined where the node's list of this account does not reach back */
async function searchAccount(rpc: Rpc, sought: Sought, search: AccountSearch): Promise<Found | undefined> {
  const { address, finalizedSlot, takeCall } = search
  let { before, seen } = search.cursor ?? {}
  let reachesBack = sought.isNewAccount
  const unproven = (isCutShort: boolean): Found => ({
    unproven: before && seen ? `${address}:${before}:${seen}` : null,
    isCutShort,
  })
  for (;;) {
    if (!takeCall()) return unproven(true)
    const listed = await rpc.history(address, finalizedSlot, before)
    const last = seen
    if (last !== undefined && listed[0]?.signature !== last) return { unproven: null, isCutShort: false }
    for (const entry of listed) {
      if (entry.slot < sought.builtSlot) return { landed: false }
      reachesBack ||= entry.slot === sought.builtSlot
      if (entry.signature === last) continue
      if (mayBe(entry, sought)) {
        if (!takeCall()) return unproven(true)
        const isOurs = await carries(rpc, entry.signature, sought.message)
        if (isOurs === undefined) return unproven(false)
        if (isOurs) return { landed: true }
      }
      ;[before, seen] = [seen, entry.signature]
    }
    if (listed.length < HISTORY_PAGE) return reachesBack ? { landed: false } : undefined
  }
}

const mayBe = ({ hasFailed, memo }: LandedSignature, { id }: Sought): boolean =>
  !hasFailed && memo !== undefined && memo.includes(id)

/** @returns undefined when the node does not have the transaction that it has listed */
async function carries(rpc: Rpc, signature: string, message: Uint8Array): Promise<boolean | undefined> {
  const transaction = await rpc.transaction(signature)
  if (transaction === undefined) return undefined
  const theirs = decodeTransaction(transaction)?.message
  return theirs !== undefined && equalBytes(theirs, message)
}

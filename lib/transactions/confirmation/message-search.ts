import { equalBytes } from '../../keys/bytes.ts'
import type { Address } from '../../solana/address.ts'
import { HISTORY_PAGE, type LandedSignature, type Rpc } from '../../solana/rpc.ts'
import { decodeTransaction } from '../../solana/transaction.ts'

/*
 * Finds out whether a cosigned message has landed if neither a signature nor a balance shows it. Its fee
 * payer can sign the same message twice, so the search reads the transactions that name one of its accounts.
 * Anybody can add to these, for a network fee each. So only the same message proves that it has landed, and
 * only a list that reaches back to the slot it was built at proves that it has not. A search that was cut
 * short goes on where it ended, since the transactions that it has read are final.
 */

/** A message to search for. Its memo has the `id`. */
export type ScanTarget = {
  id: string
  message: Uint8Array
  /** The slot that it was built at. It can only have landed at this slot or later. */
  builtSlot: bigint
  /** The accounts to read: the next one if the node's list of the one before is too short. */
  addresses: Address[]
  /**
   * Whether no earlier transaction named the account, and the node still has all since: then a list that ends
   * reaches back far enough.
   */
  isNewAccount: boolean
}

/** The calls of the node that several searches may still make together. */
export type RpcBudget = { left: number }

/** How many of them one search makes at most, so that some are left for others. */
export const MAX_CALLS_PER_SEARCH = 20

/**
 * `inconclusive`: where the next search goes on, or null to begin anew. `isCutShort`: the calls were used up,
 * so the next search may follow at once; otherwise the node could prove nothing.
 */
export type ScanResult = { landed: boolean } | { inconclusive: string | null; isCutShort: boolean }

/**
 * How far the search of an account has come: `seen` is the last transaction that was read, `before` the one
 * listed before it. Asked for transactions older than `before`, a node has to list `seen` first. A node that
 * does not know `before` lists nothing, which would look like the end.
 */
type SearchCursor = { address: Address; before: string; seen: string }

const cursorOf = (text: string | null): SearchCursor | undefined => {
  const [address, before, seen] = text?.split(':') ?? []
  return address && before && seen ? { address: address as Address, before, seen } : undefined
}

type Search = {
  /** A slot past the message's last block, which the node must have reached. */
  finalizedSlot: bigint
  /** The end of an earlier search. */
  searchedTo: string | null
  /** The budget that its calls are taken from. */
  calls: RpcBudget
  maxCalls?: number
}

/**
 * Searches the finalized transactions for a message, newest first.
 * @throws ApiError dependency_unavailable
 */
export async function searchMessage(
  rpc: Rpc,
  target: ScanTarget,
  { finalizedSlot, searchedTo, calls, maxCalls = MAX_CALLS_PER_SEARCH }: Search,
): Promise<ScanResult> {
  const own = { left: Math.min(calls.left, maxCalls) }
  const takeCall = (): boolean => {
    if (own.left <= 0) return false
    own.left -= 1
    calls.left -= 1
    return true
  }
  const from = cursorOf(searchedTo)
  const start = from ? Math.max(0, target.addresses.indexOf(from.address)) : 0
  for (const address of target.addresses.slice(start)) {
    const cursor = address === from?.address ? from : undefined
    const found = await searchAccount(rpc, target, { address, finalizedSlot, takeCall, cursor })
    if (found) return found
  }
  return { inconclusive: null, isCutShort: false }
}

type AccountSearch = {
  address: Address
  finalizedSlot: bigint
  /** Takes a call from the budget; false if none is left. */
  takeCall(): boolean
  cursor: SearchCursor | undefined
}

/** @returns undefined if the node's list of this account does not reach back */
async function searchAccount(
  rpc: Rpc,
  target: ScanTarget,
  search: AccountSearch,
): Promise<ScanResult | undefined> {
  const { address, finalizedSlot, takeCall } = search
  let { before, seen } = search.cursor ?? {}
  let reachesBack = target.isNewAccount
  const inconclusive = (isCutShort: boolean): ScanResult => ({
    inconclusive: before && seen ? `${address}:${before}:${seen}` : null,
    isCutShort,
  })
  for (;;) {
    if (!takeCall()) return inconclusive(true)
    const listed = await rpc.history(address, finalizedSlot, before)
    const last = seen
    if (last !== undefined && listed[0]?.signature !== last) return { inconclusive: null, isCutShort: false }
    for (const entry of listed) {
      if (entry.slot < target.builtSlot) return { landed: false }
      reachesBack ||= entry.slot === target.builtSlot
      if (entry.signature === last) continue
      if (mayHaveMessage(entry, target)) {
        if (!takeCall()) return inconclusive(true)
        const isMessage = await hasMessage(rpc, entry.signature, target.message)
        if (isMessage === undefined) return inconclusive(false)
        if (isMessage) return { landed: true }
      }
      ;[before, seen] = [seen, entry.signature]
    }
    if (listed.length < HISTORY_PAGE) return reachesBack ? { landed: false } : undefined
  }
}

const mayHaveMessage = ({ hasFailed, memo }: LandedSignature, { id }: ScanTarget): boolean =>
  !hasFailed && memo !== undefined && memo.includes(id)

/** @returns undefined if the node does not have the transaction that it has listed */
async function hasMessage(rpc: Rpc, signature: string, message: Uint8Array): Promise<boolean | undefined> {
  const transaction = await rpc.transaction(signature)
  if (transaction === undefined) return undefined
  const landed = decodeTransaction(transaction)?.message
  return landed !== undefined && equalBytes(landed, message)
}

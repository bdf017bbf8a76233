import type { Address } from '../../solana/address.ts'
import { decodeMessage } from '../../solana/decode-message.ts'
import type { Message } from '../../solana/message.ts'
import { HISTORY_PAGE, type LandedSignature, type Rpc } from '../../solana/rpc.ts'
import { decodeTransaction } from '../../solana/transaction.ts'

/* Reads from the network what a restored database has lost. */

/** How the memos of all built transactions begin. */
const MEMO_PREFIX = 'AgentCred '

/**
 * Lists finalized transactions since a time that succeeded, name one of these addresses and have a memo of
 * the service's: each once, in the order in which they landed. Anybody can write such a memo.
 * @throws ApiError dependency_unavailable
 */
export async function successfulSince(
  rpc: Rpc,
  addresses: Address[],
  since: Date,
): Promise<LandedSignature[]> {
  const { slot } = await rpc.finalizedBlock()
  const landed = new Map<string, LandedSignature>()
  for (const address of new Set(addresses)) {
    for (const entry of (await listedSince(rpc, address, { since, slot })).toReversed()) {
      if (!entry.hasFailed && entry.memo?.includes(MEMO_PREFIX)) landed.set(entry.signature, entry)
    }
  }
  return [...landed.values()].toSorted((a, b) => Number(a.slot - b.slot))
}

/** Lists the transactions that name an address, the newest first. */
async function listedSince(
  rpc: Rpc,
  address: Address,
  { since, slot }: { since: Date; slot: bigint },
): Promise<LandedSignature[]> {
  const listed: LandedSignature[] = []
  for (;;) {
    const page = await rpc.history(address, slot, listed.at(-1)?.signature)
    const end = page.findIndex(({ landedAt }) => landedAt !== undefined && landedAt < since)
    if (end !== -1) return [...listed, ...page.slice(0, end)]
    listed.push(...page)
    if (page.length < HISTORY_PAGE) return listed
  }
}

/** A landed transaction, Base64, with its message as bytes and decoded. */
type LandedTransaction = { transaction: string; bytes: Uint8Array; message: Message }

/**
 * Reads a landed transaction; undefined if it has a form that the service never builds.
 * @throws Error if the node has listed it and does not have it
 */
export async function readLanded(rpc: Rpc, signature: string): Promise<LandedTransaction | undefined> {
  const transaction = await rpc.transaction(signature)
  if (transaction === undefined) throw new Error(`the node has lost the transaction ${signature}`)
  const bytes = decodeTransaction(transaction)?.message
  const decoded = bytes && decodeMessage(bytes)
  return bytes && decoded?.ok ? { transaction, bytes, message: decoded.message } : undefined
}

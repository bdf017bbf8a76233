import type { Rpc } from '../../solana/rpc.ts'
import type { SignatureStatus } from '../../solana/rpc-answers.ts'
import { HOUR_MS } from '../../time.ts'
import type { RpcBudget } from './message-search.ts'

/* Judges a transaction by its recorded signature and the network's answers. */

type Status = Pick<SignatureStatus, 'hasFailed' | 'isFinal'> | undefined

/**
 * Returns what became of a transaction by its status. It has landed once a confirmed block has it; a failure
 * counts only in a final block, since a block that is dropped would let the message land again.
 */
export function outcomeOfStatus(status: Status): 'landed' | 'failed' | undefined {
  if (!status?.hasFailed) return status && 'landed'
  return status.isFinal ? 'failed' : undefined
}

/** What the network answered about a signature, and about its newest final block. */
type Answers = {
  status: Status
  /** The slot that the node had reached when it looked for the signature. */
  slot: bigint
  finalized: { slot: bigint; height: bigint } | undefined
}

/**
 * Returns what became of a transaction by its recorded signature.
 * @returns `not_found` if no block that could hold the message has that signature; undefined while nothing is
 *   certain. A node that looked before it had reached the final block may not know what that block holds.
 */
export function outcomeBySignature(
  { lastValidBlockHeight }: { lastValidBlockHeight: bigint },
  { status, slot, finalized }: Answers,
): 'landed' | 'failed' | 'not_found' | undefined {
  if (status) return outcomeOfStatus(status)
  const isPast = finalized && finalized.height > lastValidBlockHeight && slot >= finalized.slot
  return isPast ? 'not_found' : undefined
}

/** How long every node keeps a transaction that has landed. */
const LEDGER_RETENTION_MS = HOUR_MS

type Since = {
  signedAt: Date
  /** The slot that the transaction was built at; without it the time of the node's first block decides. */
  builtSlot?: bigint
  /** The budget that a call of the node is taken from. */
  calls?: RpcBudget
}

/**
 * Whether a node has all transactions since one was signed, so that what it does not have has not landed.
 * Asks the node only about transactions that are older than the ledger retention.
 * @throws ApiError dependency_unavailable
 */
export async function hasHistorySince(
  rpc: Pick<Rpc, 'firstSlot' | 'firstTime'>,
  now: Date,
  { signedAt, builtSlot, calls }: Since,
): Promise<boolean> {
  if (now.getTime() - signedAt.getTime() < LEDGER_RETENTION_MS) return true
  if (calls) calls.left -= 1
  if (builtSlot !== undefined) return (await rpc.firstSlot()) <= builtSlot
  const firstTime = await rpc.firstTime()
  return firstTime !== undefined && firstTime <= signedAt
}

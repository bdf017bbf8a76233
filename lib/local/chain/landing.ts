import type { LiteSVM } from 'litesvm'
import { lamportsOf, loadedBy, tokenBalancesOf } from './balances.ts'
import { execute } from './execution.ts'
import type { Failure } from './failures.ts'
import { feeOf } from './fees.ts'
import type { Landed } from './history.ts'
import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from './programs.ts'
import type { Message, SignedTransaction } from './transaction.ts'

/**
 * Executes a transaction for good and notes what it did; `dropped` when it did not make it into the block.
 */
export function land(
  svm: LiteSVM,
  transaction: SignedTransaction,
  block: { slot: bigint; blockTime: bigint },
): { landed: Landed } | { dropped: Failure } {
  const { message } = transaction
  const loaded = loadedBy(svm, message)
  const keys = [...message.staticKeys, ...loaded.writable, ...loaded.readonly]
  const before = lamportsOf(svm, keys)
  const tokensBefore = tokenBalancesOf(svm, keys)
  const execution = execute(svm, transaction)
  const after = lamportsOf(svm, keys)
  // LiteSVM does not say whether a failed transaction was included; the fee payer's balance does.
  if (execution.failure && after[0] === before[0]) return { dropped: execution.failure }
  const landed: Landed = {
    ...execution,
    ...block,
    signature: transaction.signature,
    bytes: transaction.bytes,
    messageHash: message.hash,
    fee: feeOf(message),
    keys,
    loaded,
    balances: { before, after },
    tokenBalances: { before: tokensBefore, after: tokenBalancesOf(svm, keys) },
    memo: memoOf(message),
  }
  return { landed }
}

/** Formats the memos of a message in the form of getSignaturesForAddress: `[bytes] text`, joined by `; `. */
function memoOf(message: Message): string | null {
  const memos = message.instructions
    .filter(({ programIndex }) => MEMO_PROGRAMS.has(message.staticKeys[programIndex] ?? ''))
    .map(({ data }) => `[${data.length}] ${new TextDecoder().decode(data)}`)
  return memos.length ? memos.join('; ') : null
}

const MEMO_PROGRAMS = new Set<string>([MEMO_PROGRAM_V1, MEMO_PROGRAM])

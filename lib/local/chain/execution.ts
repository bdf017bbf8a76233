import { type Address, type EncodedAccount, getAddressDecoder } from '@solana/kit'
import {
  FailedTransactionMetadata,
  type LiteSVM,
  type SimulatedTransactionInfo,
  type TransactionMetadata,
} from 'litesvm'
import { lamportsOf, loadedBy, type TokenBalance, tokenBalancesOf } from './balances.ts'
import { type Failure, failureOf } from './failures.ts'
import { feeOf } from './fees.ts'
import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from './programs.ts'
import type { Instruction, Message, SignedTransaction } from './transaction.ts'

/**
 * Executes a transaction and keeps its effects. @returns what it did; `dropped` if it did not get into the
 * block
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

interface InnerInstruction extends Instruction {
  stackHeight: number
}

/** The result of running a transaction. */
export interface Execution {
  /** null: it succeeded */
  failure: Failure | null
  logs: string[]
  unitsConsumed: bigint
  /** Instructions that programs called, by the index of the message's own instruction. */
  inner: { index: number; instructions: InnerInstruction[] }[]
  returnData: { programId: Address; data: Uint8Array } | null
}

/** A transaction on the chain. One that failed in execution has landed too, and has paid its fee. */
export interface Landed extends Execution {
  signature: string
  bytes: Uint8Array
  messageHash: string
  slot: bigint
  /** Unix seconds */
  blockTime: bigint
  /** Lamports */
  fee: bigint
  /** Every account of the transaction: the message's own, then the accounts of lookup tables. */
  keys: Address[]
  loaded: { writable: Address[]; readonly: Address[] }
  balances: { before: bigint[]; after: bigint[] }
  tokenBalances: { before: TokenBalance[]; after: TokenBalance[] }
  /** Memos as getSignaturesForAddress shows them, `[length] text`, or null. */
  memo: string | null
}

/** Returns the execution of a transaction that was refused before it ran. */
export function refused(failure: Failure): Execution {
  return { failure, logs: [], unitsConsumed: 0n, inner: [], returnData: null }
}

/** Runs a transaction and keeps its changes. Refuses one without all its signatures. */
function execute(svm: LiteSVM, transaction: SignedTransaction): Execution {
  if (!isFullySigned(transaction)) return refused('SignatureFailure')
  return executionOf(svm.sendTransaction(transaction.kit))
}

/**
 * Runs a transaction without keeping its changes; `accounts` is the would-be state of its writable accounts.
 */
export function simulate(
  svm: LiteSVM,
  transaction: SignedTransaction,
  verifySignatures: boolean,
): { execution: Execution; accounts: EncodedAccount[] } {
  if (verifySignatures && !isFullySigned(transaction))
    return { execution: refused('SignatureFailure'), accounts: [] }
  svm.withSigverify(verifySignatures)
  try {
    const result = svm.simulateTransaction(transaction.kit)
    return {
      execution: executionOf(result),
      accounts: result instanceof FailedTransactionMetadata ? [] : result.postAccounts(),
    }
  } finally {
    svm.withSigverify(true)
  }
}

function isFullySigned({ kit }: SignedTransaction): boolean {
  return Object.values(kit.signatures).every((one) => one !== null)
}

function executionOf(
  result: TransactionMetadata | FailedTransactionMetadata | SimulatedTransactionInfo,
): Execution {
  const meta = 'meta' in result ? result.meta() : result
  const data = meta.returnData().data()
  return {
    failure: result instanceof FailedTransactionMetadata ? failureOf(result.err()) : null,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    inner: innerOf(meta),
    returnData: data.length
      ? { programId: getAddressDecoder().decode(meta.returnData().programId()), data: Uint8Array.from(data) }
      : null,
  }
}

function innerOf(meta: TransactionMetadata): Execution['inner'] {
  const lists = meta.innerInstructions().map((list, index) => ({
    index,
    instructions: list.map((one) => ({
      programIndex: one.instruction().programIdIndex(),
      accounts: [...one.instruction().accounts()],
      data: Uint8Array.from(one.instruction().data()),
      stackHeight: one.stackHeight(),
    })),
  }))
  return lists.filter(({ instructions }) => instructions.length > 0)
}

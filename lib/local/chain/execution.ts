import { type Address, type EncodedAccount, getAddressDecoder } from '@solana/kit'
import {
  FailedTransactionMetadata,
  type LiteSVM,
  type SimulatedTransactionInfo,
  type TransactionMetadata,
} from 'litesvm'
import { type Failure, failureOf } from './failures.ts'
import type { Instruction, SignedTransaction } from './transaction.ts'

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

/** Returns the execution of a transaction that was refused before it ran. */
export function refused(failure: Failure): Execution {
  return { failure, logs: [], unitsConsumed: 0n, inner: [], returnData: null }
}

/** Runs a transaction and keeps its changes. One without all its signatures is refused and not run. */
export function execute(svm: LiteSVM, transaction: SignedTransaction): Execution {
  if (!isFullySigned(transaction)) return refused('SignatureFailure')
  return executionOf(svm.sendTransaction(transaction.kit))
}

/** Runs a transaction without keeping its changes; `accounts` are those it writes, as they would be. */
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

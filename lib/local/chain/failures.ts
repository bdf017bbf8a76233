import type { FailedTransactionMetadata } from 'litesvm'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './failure-texts.ts'

/** InstructionError as a validator writes it in JSON. */
type InstructionFailure = string | { Custom: number } | { BorshIoError: string }

/** TransactionError as a validator writes it in JSON (serde form of solana-transaction-error). */
export type Failure =
  | string
  | { InstructionError: [index: number, error: InstructionFailure] }
  | { DuplicateInstruction: number }
  | { InsufficientFundsForRent: { account_index: number } }
  | { ProgramExecutionTemporarilyRestricted: { account_index: number } }

type LiteSvmFailure = ReturnType<FailedTransactionMetadata['err']>
type LiteSvmInstructionError =
  Exclude<LiteSvmFailure, number> extends infer E ? (E extends { err(): infer R } ? R : never) : never

/**
 * Converts LiteSVM's error object to the validator's JSON form. LiteSVM numbers its plain errors in the order
 * of its own enums, and its classes can be told apart by what they carry and by name only.
 */
export function failureOf(error: LiteSvmFailure): Failure {
  if (typeof error === 'number') return nameOf(TRANSACTION_ERRORS, error)
  if ('err' in error) return { InstructionError: [error.index, instructionFailureOf(error.err())] }
  if ('index' in error) return { DuplicateInstruction: error.index }
  const account = { account_index: error.accountIndex }
  return error.constructor.name === 'TransactionErrorProgramExecutionTemporarilyRestricted'
    ? { ProgramExecutionTemporarilyRestricted: account }
    : { InsufficientFundsForRent: account }
}

function instructionFailureOf(error: LiteSvmInstructionError): InstructionFailure {
  if (typeof error === 'number') return nameOf(INSTRUCTION_ERRORS, error)
  return 'code' in error ? { Custom: error.code } : { BorshIoError: error.msg }
}

function nameOf(texts: Record<string, string>, index: number): string {
  const name = Object.keys(texts)[index]
  if (!name) throw new Error(`LiteSVM reported error number ${index}, which this list does not have`)
  return name
}

/** Returns a validator's text for the error, as in `Transaction simulation failed: …`. */
export function failureText(failure: Failure): string {
  if (typeof failure === 'string') return TRANSACTION_ERRORS[failure] ?? failure
  if ('InstructionError' in failure) {
    const [index, error] = failure.InstructionError
    return `Error processing Instruction ${index}: ${instructionText(error)}`
  }
  if ('DuplicateInstruction' in failure)
    return `Transaction contains a duplicate instruction (${failure.DuplicateInstruction}) that is not allowed`
  if ('InsufficientFundsForRent' in failure)
    return `Transaction results in an account (${failure.InsufficientFundsForRent.account_index}) with insufficient funds for rent`
  const { account_index } = failure.ProgramExecutionTemporarilyRestricted
  return `Execution of the program referenced by account at index ${account_index} is temporarily restricted.`
}

function instructionText(error: InstructionFailure): string {
  if (typeof error === 'string') return INSTRUCTION_ERRORS[error] ?? error
  if ('Custom' in error) return `custom program error: 0x${error.Custom.toString(16)}`
  return `Failed to serialize or deserialize account data: ${error.BorshIoError}`
}

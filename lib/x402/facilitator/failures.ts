import { isGuard } from '../../signing/cosigning/guards.ts'
import { decodeMessage } from '../../solana/decode-message.ts'
import { decodeTransaction } from '../../solana/transaction.ts'

/* Whose fault a failure on the chain is; pure. */

/** Errors of the Token program: the source holds too little; its owner is another wallet now. */
const PAYERS_ERRORS = [1, 4]
/** The transfer's place among the instructions. */
const TRANSFER = 2

const INSTRUCTION_ERROR = /^\{"InstructionError":\[(\d+),(?:\{"Custom":(\d+)\}|.*)\]\}$/

/**
 * Tells whether a payment failed by its payer's own funds or guards. A frozen account may be the owner's, and
 * what the runtime refuses is nobody's.
 * @param failure the network's error, as JSON
 * @param transaction the payment, Base64
 */
export function isPayersFault(failure: string, transaction: string): boolean {
  const [, index, custom] = INSTRUCTION_ERROR.exec(failure) ?? []
  if (index === undefined) return false
  if (Number(index) === TRANSFER) return PAYERS_ERRORS.includes(Number(custom))
  const decoded = decodeMessage(decodeTransaction(transaction)?.message ?? new Uint8Array())
  const failed = decoded.ok ? decoded.message.instructions[Number(index)] : undefined
  return failed !== undefined && isGuard(failed)
}

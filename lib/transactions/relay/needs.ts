import { decodeMessage } from '../../solana/decode-message.ts'
import type { Instruction } from '../../solana/instruction.ts'
import type { Message } from '../../solana/message.ts'
import {
  computeUnitLimitIn,
  computeUnitPriceIn,
  MAX_COMPUTE_UNITS,
  networkFee,
} from '../../solana/programs/compute-budget.ts'
import { SYSTEM_PROGRAM } from '../../solana/programs/programs.ts'
import { lamportsIn } from '../../solana/programs/system.ts'
import { decodeTransaction } from '../../solana/transaction.ts'

/* Computes the cost of a transaction for its fee payer; pure. */

/**
 * Computes what a transaction (Base64) takes from its fee payer, in lamports: the network fee, and what it
 * sends to the accounts that it opens.
 * @returns undefined if it is not a transaction
 */
export function lamportsNeeded(transaction: string): bigint | undefined {
  const message = messageOf(transaction)
  const [feePayer] = message?.accounts ?? []
  if (!message || !feePayer) return undefined
  const { accounts, instructions } = message
  const signers = accounts.filter(({ isSigner }) => isSigner).length
  const units = firstOf(instructions, computeUnitLimitIn) ?? MAX_COMPUTE_UNITS
  const price = firstOf(instructions, computeUnitPriceIn) ?? 0n
  const sent = instructions
    .filter(({ accounts: [from] }) => from?.address === feePayer.address)
    .reduce((sum, one) => sum + (lamportsIn(one) ?? 0n), 0n)
  return networkFee(signers, units, price) + sent
}

/** Whether the instruction of a transaction at this index moves SOL. */
export const movesSol = (transaction: string, index: number): boolean =>
  messageOf(transaction)?.instructions[index]?.program === SYSTEM_PROGRAM

function messageOf(transaction: string): Message | undefined {
  const decoded = decodeMessage(decodeTransaction(transaction)?.message ?? new Uint8Array())
  return decoded.ok ? decoded.message : undefined
}

function firstOf<T>(instructions: Instruction[], read: (one: Instruction) => T | undefined): T | undefined {
  for (const one of instructions) {
    const value = read(one)
    if (value !== undefined) return value
  }
  return undefined
}

import { concat, u32, u64 } from '../../keys/bytes.ts'
import type { Instruction } from '../instruction.ts'
import { COMPUTE_BUDGET_PROGRAM } from './programs.ts'

/**
 * From solana-compute-budget-interface (`ComputeBudgetInstruction`, in Borsh: an 8-bit index, then the
 * value).
 */
export const SET_COMPUTE_UNIT_LIMIT = 2
export const SET_COMPUTE_UNIT_PRICE = 3

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n

/** Limits the compute units of the transaction; the priority fee is charged for all of them. */
export const setComputeUnitLimit = (units: number): Instruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: concat([SET_COMPUTE_UNIT_LIMIT], u32(units)),
})

/** Sets the priority fee, in micro-lamports per compute unit. */
export const setComputeUnitPrice = (microLamports: bigint): Instruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: concat([SET_COMPUTE_UNIT_PRICE], u64(microLamports)),
})

/** Computes the fee in lamports: the signatures, and the priority fee rounded up. */
export const networkFee = (signatures: number, units: number, microLamports: bigint): bigint =>
  BigInt(signatures) * LAMPORTS_PER_SIGNATURE +
  (BigInt(units) * microLamports + MICRO_LAMPORTS_PER_LAMPORT - 1n) / MICRO_LAMPORTS_PER_LAMPORT

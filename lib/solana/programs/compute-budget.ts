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

/** Limits the transaction's compute units. The priority fee is charged for the whole limit. */
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

/** The data of both: an 8-bit index, then 32 and 64 bits. */
const LIMIT_BYTES = 5
const PRICE_BYTES = 9

/** Reads the limit that an instruction sets; undefined for any other instruction. */
export const computeUnitLimitIn = (instruction: Instruction): number | undefined =>
  isOf(instruction, SET_COMPUTE_UNIT_LIMIT, LIMIT_BYTES) ? view(instruction).getUint32(1, true) : undefined

/** Reads the price that an instruction sets, in micro-lamports per unit; undefined for any other. */
export const computeUnitPriceIn = (instruction: Instruction): bigint | undefined =>
  isOf(instruction, SET_COMPUTE_UNIT_PRICE, PRICE_BYTES) ? view(instruction).getBigUint64(1, true) : undefined

const isOf = ({ program, accounts, data }: Instruction, index: number, length: number): boolean =>
  program === COMPUTE_BUDGET_PROGRAM && data[0] === index && data.length === length && accounts.length === 0

const view = ({ data }: Instruction): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength)

/** The runtime's limit on a transaction's compute units, also for a transaction without its own. */
export const MAX_COMPUTE_UNITS = 1_400_000

/** Computes the fee in lamports: the signatures, and the priority fee rounded up. */
export const networkFee = (signatures: number, units: number, microLamports: bigint): bigint =>
  BigInt(signatures) * LAMPORTS_PER_SIGNATURE +
  (BigInt(units) * microLamports + MICRO_LAMPORTS_PER_LAMPORT - 1n) / MICRO_LAMPORTS_PER_LAMPORT

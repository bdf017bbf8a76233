import type { Instruction } from '../../solana/instruction.ts'
import {
  networkFee,
  SET_COMPUTE_UNIT_LIMIT,
  SET_COMPUTE_UNIT_PRICE,
} from '../../solana/programs/compute-budget.ts'
import { COMPUTE_BUDGET_PROGRAM } from '../../solana/programs/programs.ts'

/** The runtime's limit on a transaction, which it also cuts a missing one to. */
const MAX_COMPUTE_UNITS = 1_400_000

/**
 * The highest priority fee, which the owner pays: 0.01 SOL. With our limit of 200,000 units that is a price
 * of 50 lamports a unit, 50,000 times the one we build with, so a wallet has room on any network; and a page
 * or a bug that sets a fee in the owner's place can cost no more than the rent of five token accounts.
 */
const MAX_PRIORITY_FEE_LAMPORTS = 10_000_000n

/** The data of both: an 8-bit index, then 32 and 64 bits. */
const LIMIT_BYTES = 5
const PRICE_BYTES = 9

type BudgetFault = 'budget_not_allowed' | 'compute_limit_too_high' | 'priority_fee_too_high'

export const isBudget = ({ program }: Instruction): boolean => program === COMPUTE_BUDGET_PROGRAM

/**
 * Tells what is wrong with the compute budget of a transaction: at most one limit and one price, and nothing
 * else (heap, size of loaded accounts). Without a limit the runtime takes one from the instructions, so the
 * fee is reckoned by the highest limit.
 */
export function budgetFault(budget: Instruction[]): BudgetFault | undefined {
  const limits = budget.filter(isOf(SET_COMPUTE_UNIT_LIMIT, LIMIT_BYTES))
  const prices = budget.filter(isOf(SET_COMPUTE_UNIT_PRICE, PRICE_BYTES))
  if (limits.length > 1 || prices.length > 1 || limits.length + prices.length < budget.length)
    return 'budget_not_allowed'
  const [[limit], [price]] = [limits, prices]
  const units = limit ? view(limit).getUint32(1, true) : MAX_COMPUTE_UNITS
  if (units > MAX_COMPUTE_UNITS) return 'compute_limit_too_high'
  const microLamports = price ? view(price).getBigUint64(1, true) : 0n
  return networkFee(0, units, microLamports) > MAX_PRIORITY_FEE_LAMPORTS ? 'priority_fee_too_high' : undefined
}

const isOf =
  (index: number, length: number) =>
  ({ accounts, data }: Instruction): boolean =>
    data[0] === index && data.length === length && accounts.length === 0

const view = ({ data }: Instruction): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength)

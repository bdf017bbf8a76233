import type { Instruction } from '../../solana/instruction.ts'
import {
  computeUnitLimitIn,
  computeUnitPriceIn,
  MAX_COMPUTE_UNITS,
  networkFee,
} from '../../solana/programs/compute-budget.ts'
import { COMPUTE_BUDGET_PROGRAM } from '../../solana/programs/programs.ts'

/**
 * The highest priority fee, which the owner pays: 0.01 SOL. At our limit of 200,000 units that is 50 lamports
 * a unit, 50,000 times our own price, so a wallet has room on any network. A page or a bug that sets a fee
 * for the owner costs at most the rent of five token accounts.
 */
const MAX_PRIORITY_FEE_LAMPORTS = 10_000_000n

type BudgetError = 'budget_not_allowed' | 'compute_limit_too_high' | 'priority_fee_too_high'

export const isBudget = ({ program }: Instruction): boolean => program === COMPUTE_BUDGET_PROGRAM

/**
 * Returns the error in a transaction's compute budget. It may have at most one limit and one price, and
 * nothing else (heap, size of loaded accounts). Without a limit the runtime derives one from the
 * instructions, so the check computes the fee with the highest limit.
 */
export function budgetError(budget: Instruction[]): BudgetError | undefined {
  const limits = budget.map(computeUnitLimitIn).filter((limit) => limit !== undefined)
  const prices = budget.map(computeUnitPriceIn).filter((price) => price !== undefined)
  if (limits.length > 1 || prices.length > 1 || limits.length + prices.length < budget.length)
    return 'budget_not_allowed'
  const [units = MAX_COMPUTE_UNITS, microLamports = 0n] = [limits[0], prices[0]]
  if (units > MAX_COMPUTE_UNITS) return 'compute_limit_too_high'
  return networkFee(0, units, microLamports) > MAX_PRIORITY_FEE_LAMPORTS ? 'priority_fee_too_high' : undefined
}

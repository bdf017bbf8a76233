import type { Budget, Job } from '../../client/generated/types.ts'

/** Returns how much a hire owes that its hire budget can't pay, in lamports of CRED. */
export function shortOf({
  unpaid,
  balance,
  allowance,
}: Pick<Budget, 'unpaid' | 'balance' | 'allowance'>): bigint {
  const payable = balance < allowance ? balance : allowance
  return unpaid > payable ? unpaid - payable : 0n
}

/** The hires that owe more than their hire budgets can pay. */
export type Owed = {
  /** The first hundred, by hire. */
  hires: ReadonlyMap<string, Budget>
  /** Lamports of CRED that these hires lack. */
  total: bigint
}

/** Returns what is owed, of the budgets of hires with unpaid charges. */
export function owedOf(budgets: readonly Budget[]): Owed {
  const short = budgets.filter((budget) => shortOf(budget) > 0n)
  return {
    hires: new Map(short.map((budget) => [budget.hireId, budget])),
    total: short.reduce((sum, budget) => sum + shortOf(budget), 0n),
  }
}

/** Whether a job waits for the wallet: for more than an offer, a split, or the rent of its empty escrow. */
export const waits = ({ actions }: Job): boolean =>
  actions.some(({ act }) => !['propose', 'end', 'concede', 'approve', 'close'].includes(act))

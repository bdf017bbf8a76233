import { describe, expect, it } from 'vitest'
import { u32, u64 } from '../../../lib/keys/bytes.ts'
import type { CosignError } from '../../../lib/transactions/cosigning/errors.ts'
import { COMPUTE_BUDGET, callsOf, changed, claim, errorOf } from '../../support/tampering.ts'

describe('the compute budget', () => {
  const limit = (units: number) => [2, ...u32(units)]
  const price = (microLamports: bigint) => [3, ...u64(microLamports)]
  const withBudget = (...budget: number[][]) =>
    changed(claim, (message) => {
      const program = message.keys.indexOf(COMPUTE_BUDGET)
      message.instructions = [
        ...budget.map((data) => ({ program, accounts: [], data })),
        ...message.instructions.filter((one) => one.program !== program),
      ]
      if (budget.length === 0) {
        message.keys.splice(program, 1)
        message.header[2] -= 1
        for (const one of message.instructions) {
          const moved = (index: number) => (index > program ? index - 1 : index)
          one.program = moved(one.program)
          one.accounts = one.accounts.map(moved)
        }
      }
    })

  it.each<[string, number[][]]>([
    ['none', []],
    ['a limit alone', [limit(1_400_000)]],
    ['a price alone', [price(7_142_857n)]],
    ['a price of exactly 0.01 SOL', [limit(1_000_000), price(10_000_000n)]],
    ['the price first', [price(1n), limit(0)]],
    ['a price without units to pay', [limit(0), price((1n << 64n) - 1n)]],
  ])('may be %s', async (_, budget) => {
    expect(await errorOf(claim, withBudget(...budget))).toBeUndefined()
  })

  it.each<[string, CosignError, number[][]]>([
    ['two limits', 'budget_not_allowed', [limit(1), limit(1)]],
    ['two prices', 'budget_not_allowed', [price(1n), price(1n)]],
    ['a heap', 'budget_not_allowed', [limit(1), [1, ...u32(32_768)]]],
    ['a size of loaded accounts', 'budget_not_allowed', [[4, ...u32(65_536)]]],
    ['the old request of units and fee', 'budget_not_allowed', [[0, ...u32(1), ...u32(1)]]],
    ['an unknown instruction', 'budget_not_allowed', [[5]]],
    ['an instruction without data', 'budget_not_allowed', [[]]],
    ['a limit that ends early', 'budget_not_allowed', [limit(1).slice(0, -1)]],
    ['a limit that goes on', 'budget_not_allowed', [[...limit(1), 0]]],
    ['a price that ends early', 'budget_not_allowed', [price(1n).slice(0, -1)]],
    ['a price that goes on', 'budget_not_allowed', [[...price(1n), 0]]],
    ['a limit above the runtime’s', 'compute_limit_too_high', [limit(1_400_001)]],
    ['the highest limit there is', 'compute_limit_too_high', [limit(0xffff_ffff)]],
    ['a price one above 0.01 SOL', 'priority_fee_too_high', [limit(1_000_000), price(10_000_001n)]],
    ['a price that is too high without a limit', 'priority_fee_too_high', [price(7_142_858n)]],
    ['the highest price there is', 'priority_fee_too_high', [limit(1), price((1n << 64n) - 1n)]],
  ])('may not have %s: %s', async (_, error, budget) => {
    expect(await errorOf(claim, withBudget(...budget))).toBe(error)
  })

  it('may not name an account', async () => {
    const submitted = changed(claim, (message) => void callsOf(message, COMPUTE_BUDGET)[1]?.accounts.push(1))
    expect(await errorOf(claim, submitted)).toBe('budget_not_allowed')
  })
})

import { describe, expect, it } from 'vitest'
import type { Budget } from '../../../lib/client/generated/types.ts'
import { owedOf, shortOf } from '../../../lib/console/kit/due.ts'

const budget = (hireId: string, unpaid: bigint, balance: bigint, allowance = balance) =>
  ({ hireId, unpaid, balance, allowance }) as Budget

describe('what hires owe', () => {
  it.each<[Budget, bigint]>([
    [budget('a', 0n, 0n), 0n],
    [budget('a', 2n, 0n), 2n],
    [budget('a', 5n, 3n), 2n],
    [budget('a', 5n, 5n), 0n],
    [budget('a', 5n, 9n), 0n],
    // What may not be collected pays nothing.
    [budget('a', 5n, 9n, 1n), 4n],
  ])('is the part of the charges that the budget can’t pay', (one, short) => {
    expect(shortOf(one)).toBe(short)
  })

  it('counts the hires that lack something, and the sum', () => {
    const owed = owedOf([budget('a', 5n, 3n), budget('b', 1n, 1n), budget('c', 4n, 0n)])
    expect([[...owed.hires.keys()], owed.total]).toEqual([['a', 'c'], 6n])
  })
})

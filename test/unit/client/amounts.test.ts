import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCred, parseCred } from '../../../lib/client/index.ts'

describe('amounts', () => {
  it.each([
    [0n, '0'],
    [1n, '0.000000001'],
    [1_500_000_000n, '1.5'],
    [9_007_199_254_740_993_000_000_001n, '9,007,199,254,740,993.000000001'],
    [-2_000_000_000n, '−2'],
  ])('shows %s as %s, exactly', (amount, text) => {
    expect(formatCred(amount)).toBe(text)
  })

  it.each([
    ['1,500.25', 1_500_250_000_000n],
    ['1,234,567', 1_234_567_000_000_000n],
    [' 10 ', 10_000_000_000n],
    ['0.000000001', 1n],
    ['9007199254740993.1', 9_007_199_254_740_993_100_000_000n],
  ])('reads %s', (text, amount) => {
    expect(parseCred(text)).toBe(amount)
  })

  it.each([
    '',
    'ten',
    '1.0000000001',
    '-1',
    '1e9',
    '1.5.2',
    '1,5',
    ',5',
    '1,50',
    '1500,250',
    '1,,000',
    '1,000,5',
    '1.5,000',
  ])('reads nothing into %j', (text) => {
    expect(parseCred(text)).toBeUndefined()
  })

  it('reads back every amount that it has formatted', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), (amount) => {
        expect(parseCred(formatCred(amount))).toBe(amount)
      }),
    )
  })
})

import { describe, expect, it } from 'vitest'
import { shareOf } from '../../../lib/console/kit/amounts.ts'

describe('amounts', () => {
  it.each([
    [0n, 0n, 0],
    [1n, 0n, 1],
    [25n, 100n, 0.25],
    [100n, 100n, 1],
    [150n, 100n, 1],
    [2n ** 70n / 4n, 2n ** 70n, 0.25],
  ])('has %s of %s as the share %s', (part, whole, share) => {
    expect(shareOf(part, whole)).toBe(share)
  })
})

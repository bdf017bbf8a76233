import { describe, expect, it } from 'vitest'
import { protocolFee } from '../../../lib/reputation/counterparties/rules.ts'
import { FORMULAS, mostForFree, type PaidPart, pricesOf } from '../../../lib/reputation/prices.ts'
import { breakdownOf, NOTHING_PAID } from '../../../lib/reputation/rules.ts'
import { cred } from '../../../schema/amounts.ts'
import { ONE_CRED } from '../../support/paid.ts'

const fees = (feeBps: number, feeStep = ONE_CRED) => ({ feeBps, feeStep: cred(feeStep), minPaid: cred(1n) })
const NOBODY = {
  firstLoginAt: null,
  hirers: 0,
  counterparties: 0,
  infrastructureLayers: 0,
  attestations: [],
}
/** The points of a wallet that has so much paid weight, and this for nothing. */
const pointsFor = (part: PaidPart, weight: number, free: Partial<typeof NOBODY> = {}) => {
  const payers = { weight, satisfied: weight }
  const paid =
    part === 'reliability' ? { payers } : part === 'social' ? { payees: weight } : { layers: weight }
  return breakdownOf({ ...NOBODY, ...free, paid: { ...NOTHING_PAID, ...paid } }, new Date(0))[part]
}

describe.each(['reliability', 'social', 'infrastructure'] as const)('the price of points of %s', (part) => {
  it.each([[ONE_CRED], [3n * ONE_CRED + 7n], [1_000n]])(
    'is enough, and a billionth of weight less is not, by a step of %d',
    (step) => {
      for (const { points, fee } of pricesOf(part, fees(100, step))) {
        const weight = (lamports: bigint) => Number(lamports) / Number(step)
        expect(pointsFor(part, weight(fee))).toBeGreaterThanOrEqual(points)
        expect(pointsFor(part, weight(fee - step / ONE_CRED - 2n))).toBeLessThan(points)
      }
    },
  )

  it('rises by tens up to the part’s most', () => {
    const prices = pricesOf(part, fees(100))
    expect(prices.map(({ points }) => points)).toEqual(prices.map((_, index) => 10 * (index + 1)))
    const sums = prices.map(({ fee }) => fee)
    expect(sums.toSorted((a, b) => Number(a - b))).toEqual(sums)
    expect(prices.at(-1)?.points).toBe({ reliability: 150, social: 190, infrastructure: 200 }[part])
  })

  it.each([[1], [100], [333], [10_000]])(
    'names the least collected amount with that fee, at %i basis points',
    (bps) => {
      for (const { fee, collected } of pricesOf(part, fees(bps))) {
        expect(protocolFee(collected, bps)).toBeGreaterThanOrEqual(fee)
        expect(protocolFee(collected - 1n, bps)).toBeLessThan(fee)
      }
    },
  )

  it('follows from the formula, with any free points', () => {
    for (const weight of [0, 0.3, 1, 5.5]) {
      for (const count of [0, 3, 6]) {
        const free = { hirers: count, counterparties: count, infrastructureLayers: count }
        const scope = { w: weight, u: count, c: count, d: count, exp: Math.exp, min: Math.min }
        const points = new Function(...Object.keys(scope), `return ${FORMULAS[part]}`)(
          ...Object.values(scope),
        )
        expect(points).toBeCloseTo(pointsFor(part, weight, free), 2)
      }
    }
  })

  it('is less on top of all free points, and zero up to their number', () => {
    const beside = pricesOf(part, fees(100), 'with all that is free')
    for (const { points, fee } of pricesOf(part, fees(100))) {
      const less = beside.find((one) => one.points === points)?.fee
      expect(less).toBeLessThan(fee)
      expect(less === 0n).toBe(points <= mostForFree(part))
    }
  })

  it('is absent without a protocol fee', () => {
    expect(pricesOf(part, fees(0))).toEqual([])
  })
})

it('computes the most free points by the rules', () => {
  expect([mostForFree('reliability'), mostForFree('social'), mostForFree('infrastructure')]).toEqual([
    40, 36.25, 30,
  ])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOf, unitsOf, workErrors } from '../../../lib/payments/rules.ts'
import { feeModels, MAX_CHARGED } from '../../../schema/values.ts'
import { fees, works } from '../../support/payments-arbitraries.ts'

const pathsOf = (...of: Parameters<typeof workErrors>) => workErrors(...of).map(({ path }) => path)
const flat = { feeModel: 'flat', feeAmount: 300n } as const
const percentage = { feeModel: 'percentage', feeAmount: 500n } as const
const hybrid = { feeModel: 'hybrid', feeAmount: 300n } as const

describe('the amount of a charge', () => {
  it('flat: the fee times the units, one by default', () => {
    expect(amountOf(flat, {})).toBe(300n)
    expect(amountOf(flat, { units: 7n })).toBe(2_100n)
  })

  it('percentage: the fee’s basis points of the captured value, rounded down', () => {
    expect(amountOf(percentage, { capturedValue: 1_000n })).toBe(50n)
    expect(amountOf(percentage, { capturedValue: 1_019n })).toBe(50n)
    expect(amountOf({ ...percentage, feeAmount: 10_000n }, { capturedValue: 1_019n })).toBe(1_019n)
  })

  it('hybrid: the fee for each unit, and the share', () => {
    expect(amountOf(hybrid, {})).toBe(300n)
    expect(amountOf(hybrid, { capturedValue: 1_000n, share: 40n })).toBe(340n)
    expect(amountOf(hybrid, { units: 0n, capturedValue: 1_000n, share: 40n })).toBe(40n)
  })

  it('is exact beyond 2^53', () => {
    expect(amountOf(flat, { units: MAX_CHARGED })).toBe(300n * MAX_CHARGED)
    expect(amountOf(percentage, { capturedValue: MAX_CHARGED })).toBe((MAX_CHARGED * 500n) / 10_000n)
  })
})

describe('a charge that does not fit its fee is refused by field', () => {
  it('for fields that its model lacks, and for required fields', () => {
    expect(pathsOf(flat, { capturedValue: 5n, share: 1n })).toEqual(['capturedValue', 'share'])
    expect(pathsOf(percentage, { units: 1n, capturedValue: 500n, share: 1n })).toEqual(['units', 'share'])
    expect(pathsOf(percentage, {})).toEqual(['capturedValue'])
    expect(pathsOf(hybrid, { share: 1n })).toEqual(['capturedValue'])
    expect(pathsOf(hybrid, { capturedValue: 1n })).toEqual(['share'])
    expect(pathsOf(hybrid, { capturedValue: 1n, share: 2n })).toEqual(['share'])
  })

  it('an amount of nothing, and one above 2^53-1', () => {
    expect(pathsOf(flat, { units: 0n })).toEqual(['units'])
    expect(pathsOf({ ...flat, feeAmount: 0n }, {})).toEqual(['units'])
    expect(pathsOf(percentage, { capturedValue: 19n })).toEqual(['capturedValue'])
    expect(pathsOf(percentage, { capturedValue: 20n })).toEqual([])
    expect(pathsOf({ ...flat, feeAmount: 1n }, { units: MAX_CHARGED })).toEqual([])
    expect(pathsOf({ ...flat, feeAmount: 2n }, { units: MAX_CHARGED })).toEqual(['units'])
    const all = { units: MAX_CHARGED, capturedValue: 1n, share: 1n }
    expect(pathsOf({ ...hybrid, feeAmount: 1n }, all)).toEqual(['units'])
  })
})

it('computes 1 to 2^53-1 lamports, and a percentage never above its base', () => {
  fc.assert(
    fc.property(fees, works, (fee, work) => {
      if (workErrors(fee, work).length > 0) return
      const amount = amountOf(fee, work)
      expect(amount).toBeGreaterThanOrEqual(1n)
      expect(amount).toBeLessThanOrEqual(MAX_CHARGED)
      if (fee.feeModel === 'percentage') expect(amount).toBeLessThanOrEqual(work.capturedValue ?? 0n)
    }),
  )
})

it('more of anything never makes a charge smaller', () => {
  fc.assert(
    fc.property(fees, works, fc.bigInt(0n, MAX_CHARGED), (fee, work, more) => {
      for (const field of ['units', 'capturedValue', 'share'] as const) {
        const larger = { ...work, [field]: (work[field] ?? 1n) + more }
        if (work[field] !== undefined)
          expect(amountOf(fee, larger)).toBeGreaterThanOrEqual(amountOf(fee, work))
      }
    }),
  )
})

it('a charge without units has one, a percentage none', () => {
  const recorded = feeModels.map((feeModel) => [feeModel, unitsOf({ feeModel, feeAmount: 1n }, {})])
  expect(Object.fromEntries(recorded)).toEqual({ flat: 1n, hybrid: 1n, percentage: undefined })
  expect(unitsOf(flat, { units: 0n })).toBe(0n)
})

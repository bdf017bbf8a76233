import { expect, it } from 'vitest'
import { feeOf, feeText } from '../../../lib/console/views/agents/fields.ts'

it.each([
  ['5', 500],
  ['0.05', 5],
  ['2.5', 250],
  ['2,5', 250],
  ['100', 10_000],
  ['0', 0],
])('a share of %s percent is %d basis points', (text, basisPoints) => {
  expect(feeOf('percentage', text)).toBe(basisPoints)
})

it.each(['100.01', '999', '1.005', '-1', '', '5 %', '1.000'])('%j is no share', (text) => {
  expect(feeOf('percentage', text)).toBeUndefined()
})

it.each(['flat', 'hybrid'] as const)('an amount of %s is one in CRED', (feeModel) => {
  expect(feeOf(feeModel, '1.25')).toBe(1_250_000_000)
  expect(feeOf(feeModel, 'much')).toBeUndefined()
  expect(feeOf(feeModel, '1.250')).toBeUndefined()
})

it('a price fills its field without separators of thousands', () => {
  const price = { feeModel: 'flat', feeAmount: 1_234_500_000_000 } as const
  expect(feeText(price)).toBe('1234.5')
  expect(feeText({ ...price, feeAmount: 1_125_000_000 })).toBe('1.1250')
  expect(feeText({ feeModel: 'percentage', feeAmount: 250 })).toBe('2.5')
})

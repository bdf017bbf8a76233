import { expect, it } from 'vitest'
import { feeOf } from '../../../lib/console/views/agents/fields.ts'

it.each([
  ['5', 500],
  ['0.05', 5],
  ['2.5', 250],
  ['100', 10_000],
  ['0', 0],
])('a share of %s percent is %d basis points', (text, basisPoints) => {
  expect(feeOf('percentage', text)).toBe(basisPoints)
})

it.each(['100.01', '999', '1.005', '-1', '', '5 %', '1,5'])('%j is no share', (text) => {
  expect(feeOf('percentage', text)).toBeUndefined()
})

it.each(['flat', 'hybrid'] as const)('an amount of %s is one in CRED', (feeModel) => {
  expect(feeOf(feeModel, '1.25')).toBe(1_250_000_000)
  expect(feeOf(feeModel, 'much')).toBeUndefined()
})

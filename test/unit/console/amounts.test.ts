import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  amountOf,
  amountText,
  amountWords,
  CRED,
  MAX_AMOUNT,
  PERCENT,
  readAmount,
  shareOf,
  wholeUnit,
} from '../../../lib/console/kit/amounts.ts'

const ONE = 10n ** 9n
const UNITS = wholeUnit('units')

describe('the text of an amount', () => {
  it.each([
    ['0', 0n],
    ['5', 5n * ONE],
    ['5.', 5n * ONE],
    ['.5', ONE / 2n],
    [',5', ONE / 2n],
    ['.500', ONE / 2n],
    ['0.125', ONE / 8n],
    ['0,125', ONE / 8n],
    ['1,5', (3n * ONE) / 2n],
    ['1,50', (3n * ONE) / 2n],
    ['1.0000', ONE],
    ['1000', 1000n * ONE],
    ['1000.125', 1000n * ONE + ONE / 8n],
    ['1000,125', 1000n * ONE + ONE / 8n],
    ['1,500.25', 1500n * ONE + ONE / 4n],
    ['1.500,25', 1500n * ONE + ONE / 4n],
    ['1,000.000', 1000n * ONE],
    ['1.000,000', 1000n * ONE],
    ['1,000,000', 1_000_000n * ONE],
    ['1.000.000', 1_000_000n * ONE],
    ['1 500', 1500n * ONE],
    ['1\u00a0500,25', 1500n * ONE + ONE / 4n],
    ['1\u202f500.25', 1500n * ONE + ONE / 4n],
    ["1'500", 1500n * ONE],
    ['1’500.25', 1500n * ONE + ONE / 4n],
    [' 1500 ', 1500n * ONE],
    ['\u00a01500\t', 1500n * ONE],
    ['0.000000001', 1n],
    ['9,007,199.254740991', MAX_AMOUNT],
  ])('is read when it is clear: %j', (text, amount) => {
    expect(readAmount(text, CRED)).toEqual({ state: 'clear', amount })
  })

  it.each([
    ['1.000', ONE, 1000n * ONE],
    ['1,000', 1000n * ONE, ONE],
    ['1,500', 1500n * ONE, (3n * ONE) / 2n],
    ['12.345', (12_345n * ONE) / 1000n, 12_345n * ONE],
    ['999,999', 999_999n * ONE, (999_999n * ONE) / 1000n],
    [' 100.000\u00a0', 100n * ONE, 100_000n * ONE],
  ])('is ambiguous when a separator may be of thousands or decimals: %j', (text, ...amounts) => {
    expect(readAmount(text, CRED)).toEqual({ state: 'ambiguous', amounts })
    expect(amountOf(text)).toBeUndefined()
  })

  it.each([
    ...['ten', '.', ',', '-5', '+5', '−5', '1e3', '0x10', '5 CRED', '1.5.2', '1,50,000', '1,,000', '1,000,5'],
    ...['1.5,000', '1 50', '1  500', "1'500 000", '1,000 000', '01.000', '007', '00.5', '0,125.5'],
    ...['１２', '١٢', '10²', '½', '1\u200b500', 'NaN', 'Infinity'],
  ])('is refused when it can not be read: %j', (text) => {
    expect(readAmount(text, CRED)).toEqual({
      state: 'wrong',
      error:
        'This can’t be read as an amount. Enter a number such as 1500.25, in the digits 0 to 9, with at most nine decimals.',
    })
  })

  it.each([
    [CRED, '1.0000000001', /^Too many decimals\. .* at most nine decimals\.$/],
    [CRED, '0,0000000000', /^Too many decimals\. .* at most nine decimals\.$/],
    [CRED, '9007199.254740992', /^Too much\. Enter at most 9,007,199\.254740991 CRED\.$/],
    [CRED, '9.007.200', /^Too much\./],
    [PERCENT, '1.005', /^Too many decimals\. .* at most two decimals\.$/],
    [PERCENT, '100.01', /^Too much\. Enter at most 100 percent\.$/],
    [UNITS, '1.5', /^Too many decimals\. Enter a whole number such as 1500,/],
    [UNITS, 'few', /^This can’t be read as an amount\. Enter a whole number/],
    [UNITS, '9007199254740992', /^Too much\. Enter at most 9,007,199,254,740,991 units\.$/],
  ])('is refused when the unit has no such amount: %o %j', (unit, text, error) => {
    expect(readAmount(text, unit)).toEqual({ state: 'wrong', error: expect.stringMatching(error) })
  })

  it('is clear when the unit allows only one of two meanings', () => {
    expect(amountOf('1.500', UNITS)).toBe(1500n)
    expect(amountOf('1,500', UNITS)).toBe(1500n)
    expect(amountOf('2,5', PERCENT)).toBe(250n)
  })

  it.each(['', ' ', '\u00a0'])('says nothing when it is %j', (text) => {
    expect(readAmount(text, CRED)).toEqual({ state: 'empty' })
  })

  it('is clear and without separators of thousands when an amount is filled in', () => {
    expect(amountText(1_234_567n * ONE)).toBe('1234567')
    expect(amountText(ONE + ONE / 8n)).toBe('1.1250')
    for (const unit of [CRED, PERCENT, UNITS])
      fc.assert(
        fc.property(fc.bigInt({ min: 0n, max: unit.max }), (amount) => {
          expect(amountText(amount, unit)).toMatch(/^\d+(\.\d+)?$/)
          expect(readAmount(amountText(amount, unit), unit)).toEqual({ state: 'clear', amount })
        }),
      )
    // The amounts of up to three digits with three decimals are rare among those.
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999n }), (thousandths) => {
        const amount = (thousandths * ONE) / 1000n
        expect(readAmount(amountText(amount), CRED)).toEqual({ state: 'clear', amount })
      }),
    )
  })
})

it('an amount in words has its unit', () => {
  expect(amountWords(1500n * ONE + ONE / 4n, CRED)).toBe('1,500.25 CRED')
  expect(amountWords(250n, PERCENT)).toBe('2.5 percent')
  expect(amountWords(1500n, UNITS)).toBe('1,500 units')
  expect(amountWords(1n, UNITS)).toBe('1 unit')
})

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

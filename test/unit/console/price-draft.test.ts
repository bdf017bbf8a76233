import { describe, expect, it } from 'vitest'
import { priceOf, priceWords } from '../../../lib/console/views/selling/price-draft.ts'
import { MINT, WALLET } from '../../../schema/examples.ts'

const draft = { name: ' GET /forecast ', amount: '0.25', asset: '' }

describe('the price of a draft', () => {
  it('is in CRED, to the last decimal, unless another token is named', () => {
    expect(priceOf(draft)).toEqual({ name: 'GET /forecast', amount: 250_000_000n })
    expect(priceOf({ ...draft, amount: '9,007,199.254740991' })?.amount).toBe(2n ** 53n - 1n)
  })

  it('is in the smallest units of another token', () => {
    const price = { name: 'GET /forecast', amount: 250_000n, asset: WALLET }
    expect(priceOf({ ...draft, amount: ' 250000 ', asset: ` ${WALLET} ` })).toEqual(price)
    expect(priceOf({ ...draft, amount: '0.25', asset: WALLET })).toBeUndefined()
  })

  it.each([
    { name: ' ' },
    { amount: '' },
    { amount: '0.00' },
    { amount: '1.000' },
    { amount: '0.0000000001' },
    { amount: '9007199.254740992' },
    { amount: '9007199254740992', asset: WALLET },
  ])('is missing with %j', (changes) => {
    expect(priceOf({ ...draft, ...changes })).toBeUndefined()
  })
})

it('a price is said in CRED, and in the smallest units of any other token', () => {
  expect(priceWords({ amount: 1n, asset: MINT }, MINT)).toBe('0.000000001 CRED')
  expect(priceWords({ amount: 1n, asset: WALLET }, MINT)).toBe(`1 smallest units of ${WALLET}`)
})

import { describe, expect, it } from 'vitest'
import { pricesOf } from '../../../lib/reputation/prices.ts'
import { cred } from '../../../schema/amounts.ts'
import { ONE_CRED } from '../../support/paid.ts'
import { cheapest, lossOf, partsAfter, type Strategy } from '../../support/reputation-search.ts'

/** A full step of fees, at a fee of one percent. */
const FULL_STEP = 100n * ONE_CRED
const SEEDS = [1, 2, 3]

const payments = (wallets: number[], amount = FULL_STEP) =>
  wallets.map((wallet) => ({ wallet, agent: 0, layer: 1, amount }))
const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n)
const nothing: Strategy = { payments: [], ratings: new Map(), freeWallets: 0 }

describe('the cheapest forgery of reliability 150', () => {
  const reaches = (strategy: Strategy) => partsAfter(strategy).reliability >= 150

  it('costs 8.5 CRED in a search over wallets, amounts, layers, ratings and own deals', () => {
    // Nothing but the owner's own payments, and too few wallets, never get there.
    expect(reaches({ ...nothing, payments: payments([0], 10n ** 6n * ONE_CRED), freeWallets: 500 })).toBe(
      false,
    )
    expect(
      reaches({ ...nothing, payments: payments(range(1, 8), 10n ** 6n * ONE_CRED), freeWallets: 500 }),
    ).toBe(false)
    const start = { ...nothing, payments: payments(range(1, 20)), freeWallets: 500 }
    const found = SEEDS.map((seed) =>
      cheapest(start, { reaches, costOf: lossOf.ownFees, seed, steps: 4_000 }),
    )
    for (const { strategy, cost } of found) {
      // 0.9 percent above what no strategy can beat: each lamport of weight is a lamport of fees.
      expect(cost).toBeGreaterThanOrEqual(8.528)
      expect(cost).toBeLessThan(8.61)
      expect(new Set(strategy.payments.map(({ wallet }) => wallet)).size).toBeGreaterThanOrEqual(9)
    }
  })

  it('costs 57.6 CRED without unpaid wallets', () => {
    const withoutFree = (strategy: Strategy) => strategy.freeWallets === 0 && reaches(strategy)
    const start = { ...nothing, payments: payments(range(1, 58)) }
    const { cost } = cheapest(start, { reaches: withoutFree, costOf: lossOf.ownFees, seed: 1, steps: 4_000 })
    expect(cost).toBeGreaterThanOrEqual(57.58)
    expect(cost).toBeLessThan(58)
  })

  it('costs what the rules list, with and without what is free', () => {
    const fees = { feeBps: 100, feeStep: cred(ONE_CRED), minPaid: cred(ONE_CRED) }
    const listed = (...beside: ['with all that is free'?]) =>
      Number(pricesOf('reliability', fees, ...beside).find(({ points }) => points === 150)?.fee)
    expect(listed() / Number(ONE_CRED)).toBeCloseTo(57.59, 2)
    expect(listed('with all that is free') / Number(ONE_CRED)).toBeCloseTo(8.45, 2)
  })
})

describe('the cheapest attack that takes 50 points from another', () => {
  /** The victim: this many wallets have paid it in full, and are satisfied. */
  const victim = (payers: number): Strategy => ({
    ...nothing,
    payments: payments(range(100, payers)),
    freeWallets: 20,
  })
  const attack = (wallets: number): Strategy => ({
    ...nothing,
    payments: payments(range(1, wallets)),
    ratings: new Map(range(1, wallets).map((wallet) => [wallet, 1])),
  })
  const total = (parts: ReturnType<typeof partsAfter>) =>
    Object.values(parts).reduce((sum, part) => sum + part, 0)

  it('of reliability costs 442 CRED, which the other gets', () => {
    const found = range(2, 10).map((payers) => {
      const before = partsAfter(victim(payers)).reliability
      const reaches = (strategy: Strategy) => before - partsAfter(victim(payers), strategy).reliability >= 50
      const start = attack(20)
      return reaches(start)
        ? cheapest(start, { reaches, costOf: lossOf.allPaid, seed: payers, steps: 1_500 }).cost
        : Number.POSITIVE_INFINITY
    })
    expect(Math.min(...found)).toBeGreaterThan(440)
    expect(Math.min(...found)).toBeLessThan(465)
  })

  // A payment raises the victim's social part, unless payments of its own have filled that already.
  it.each([
    { payees: 0, victims: [20, 24, 28], price: 1_345 },
    { payees: 20, victims: [6, 7, 8], price: 554 },
    { payees: 50, victims: [4, 5, 6], price: 448 },
    { payees: 1_000, victims: [4, 5, 6], price: 442 },
  ])(
    'of the whole score costs $price CRED where the other has paid $payees',
    ({ payees, victims, price }) => {
      const found = victims.map((payers) => {
        const other = { ...victim(payers), payees }
        const before = total(partsAfter(other))
        const reaches = (strategy: Strategy) => before - total(partsAfter(other, strategy)) >= 50
        return cheapest(attack(20), { reaches, costOf: lossOf.allPaid, seed: payers, steps: 1_500 }).cost
      })
      expect(Math.min(...found)).toBeGreaterThan(0.99 * price)
      expect(Math.min(...found)).toBeLessThan(1.05 * price)
    },
    120_000,
  )

  it('fails with unpaid wallets, the owner’s own payments or good ratings', () => {
    const before = partsAfter(victim(5)).reliability
    const harmless: Strategy[] = [
      { ...nothing, freeWallets: 500 },
      { ...attack(20), ratings: new Map(range(1, 20).map((wallet) => [wallet, 3])) },
      { payments: payments([0], 10n ** 6n * ONE_CRED), ratings: new Map([[0, 1]]), freeWallets: 0 },
      // Too little paid to rate.
      { ...attack(20), payments: payments(range(1, 20), ONE_CRED - 1n) },
    ]
    for (const strategy of harmless)
      expect(partsAfter(victim(5), strategy).reliability).toBeGreaterThanOrEqual(before)
  })
})

it('five stars of a hundred made-up wallets cost 1 CRED, and weigh as little', () => {
  const start: Strategy = { ...nothing, payments: payments(range(1, 100), ONE_CRED) }
  expect(lossOf.ownFees(start)).toBe(1)
  // As much reliability as one wallet that pays in full.
  expect(partsAfter(start).reliability).toBe(partsAfter({ ...nothing, payments: payments([1]) }).reliability)
})

import { describe, expect, it } from 'vitest'
import { protocolFee, requestFee } from '../../../lib/reputation/counterparties/rules.ts'
import { pricesOf } from '../../../lib/reputation/prices.ts'
import { cred } from '../../../schema/amounts.ts'
import { ONE_CRED } from '../../support/paid.ts'
import { cheapest, lossOf, partsUnder, type Strategy } from '../../support/reputation-search.ts'
import { asBuilt, PLAIN, type Requests, type Rule } from '../../support/request-strategies.ts'

/*
 * The cheapest forgery that a search finds with payments for requests next to collected charges. Its means:
 * one lamport many times, accomplices and refunds outside, tokens of one's own, failed payments, and ratings
 * by agentId. It is no cheaper than by charges alone. Under each weaker rule the search finds the attack that
 * the rule prevents.
 */

const SEEDS = [1, 2, 3]
const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n)
const nothing: Strategy = { payments: [], ratings: new Map(), freeWallets: 0, requests: [] }

/** So many payments of one CRED by each of some wallets. */
const requests = (wallets: number[], changes: Partial<Requests> = {}): Requests[] =>
  wallets.map((wallet) => ({ wallet, agent: 0, times: 100, amount: ONE_CRED, ...PLAIN, ...changes }))

const listed = (part: 'reliability' | 'social', points: number, ...beside: ['with all that is free'?]) => {
  const fees = { feeBps: 100, feeStep: cred(ONE_CRED), minPaid: cred(ONE_CRED) }
  const price = pricesOf(part, fees, ...beside).find((one) => one.points === points)
  return Number(price?.fee) / Number(ONE_CRED)
}

/** By the share of the amount alone, by the debit alone, in any asset, whether or not it lands. */
const byShare: Rule = (payment) =>
  asBuilt(payment) === undefined ? undefined : protocolFee(payment.amount, 100)
const byDebit: Rule = (payment) => (asBuilt(payment) === undefined ? undefined : payment.debit)
const ofAnyAsset: Rule = (payment) => asBuilt({ ...payment, asset: 'CRED' })
const evenFailing: Rule = (payment) => asBuilt({ ...payment, isFailing: false })

describe('reliability 150 for oneself', () => {
  const find = (rule: Rule, seed: number) =>
    cheapest(
      { ...nothing, requests: requests(range(1, 20)), freeWallets: 500 },
      {
        reaches: (strategy) => partsUnder(rule, strategy).reliability >= 150,
        costOf: lossOf.ownFees,
        seed,
        steps: 6_000,
      },
    ).cost

  it('costs no less by payments for requests than by charges', () => {
    for (const seed of SEEDS) {
      const cost = find(asBuilt, seed)
      expect(cost).toBeGreaterThanOrEqual(8.528)
      expect(cost).toBeLessThan(9)
    }
    expect(listed('reliability', 150, 'with all that is free')).toBeCloseTo(8.45, 2)
  })

  it('would cost a debit a wallet by the share alone: one large payment to oneself', () => {
    expect(Math.min(...SEEDS.map((seed) => find(byShare, seed)))).toBeLessThan(0.2)
  })
})

describe('50 points of social', () => {
  /** Pays four strangers, each as much as weighs one. */
  const start: Strategy = {
    ...nothing,
    requests: range(2, 4).flatMap((agent) => requests([0], { agent })),
  }
  const find = (rule: Rule, seed: number) =>
    cheapest(start, {
      reaches: (strategy) => partsUnder(rule, strategy).social >= 50,
      costOf: lossOf.ownFees,
      seed,
      steps: 6_000,
    })

  it('cost no less by payments for requests than by charges', () => {
    const price = listed('social', 50, 'with all that is free')
    for (const seed of SEEDS) {
      const { cost } = find(asBuilt, seed)
      expect(cost).toBeGreaterThanOrEqual(price)
      expect(cost).toBeLessThan(1.1 * price)
    }
  })

  it('would cost 288 lamports by the debit alone, and strangers their credit', () => {
    const once = requests([0], { amount: 1n, times: 96 })
    const known = {
      ...nothing,
      requests: range(2, 3).flatMap((agent) => once.map((one) => ({ ...one, agent }))),
    }
    expect(partsUnder(byDebit, known).social).toBeGreaterThanOrEqual(50)
    expect(partsUnder(asBuilt, known).social).toBeLessThan(0.001)
    expect(lossOf.ownFees(known)).toBeCloseTo(288e-9, 12)
    for (const seed of SEEDS) expect(find(byDebit, seed).cost).toBeLessThan(288e-9)
  })

  it.each([
    ['in any asset', ofAnyAsset],
    ['even of payments that fail', evenFailing],
  ])('would cost nothing %s', (_name, rule) => {
    expect(Math.min(...SEEDS.map((seed) => find(rule, seed).cost))).toBeLessThan(0.001)
  })
})

describe('50 points of another’s reliability', () => {
  const victim: Strategy = { ...nothing, requests: requests(range(100, 5)), freeWallets: 20 }
  const attack: Strategy = {
    ...nothing,
    requests: requests(range(1, 20)),
    requestRatings: new Map(range(1, 20).map((wallet) => [wallet, 1])),
  }
  const find = (rule: Rule, seed: number) => {
    const before = partsUnder(rule, victim).reliability
    return cheapest(attack, {
      reaches: (strategy) => before - partsUnder(rule, victim, strategy).reliability >= 50,
      costOf: lossOf.allPaid,
      seed,
      steps: 4_000,
    }).cost
  }

  it('cost no less by payments for requests than by charges', () => {
    const found = SEEDS.map((seed) => find(asBuilt, seed))
    expect(Math.min(...found)).toBeGreaterThan(440)
    expect(Math.min(...found)).toBeLessThan(480)
  })

  it('would cost what five ratings do by the debit alone, and the victim its credit', () => {
    const known = {
      ...attack,
      requests: requests(range(1, 5), { amount: ONE_CRED / 100n }),
    }
    const lost = (rule: Rule) =>
      partsUnder(rule, victim).reliability - partsUnder(rule, victim, known).reliability
    expect(lost(byDebit)).toBeGreaterThanOrEqual(50)
    expect(lost(asBuilt)).toBeLessThan(2)
    expect(lossOf.allPaid(known)).toBe(5)
    expect(Math.min(...SEEDS.map((seed) => find(byDebit, seed)))).toBeLessThan(50)
  })

  it('are not to be had for nothing: unpaid ratings, own payments, a second voice', () => {
    const harmless: Strategy[] = [
      { ...nothing, requestRatings: new Map(range(200, 1_000).map((wallet) => [wallet, 1])) },
      { ...attack, requests: requests(range(1, 20), { asset: 'own' }) },
      { ...attack, requests: requests(range(1, 20), { isFailing: true }) },
      // Less than MIN_PAID by each.
      { ...attack, requests: requests(range(1, 20), { times: 1, amount: ONE_CRED - 1n }) },
      { ...nothing, requests: requests([0]), requestRatings: new Map([[0, 1]]) },
    ]
    const before = partsUnder(asBuilt, victim).reliability
    for (const strategy of harmless)
      expect(partsUnder(asBuilt, victim, strategy).reliability).toBeGreaterThanOrEqual(before)
    // A wallet that rates 1 by a hire and 5 by requests is satisfied: its later rating counts.
    const both: Strategy = {
      ...nothing,
      payments: [{ wallet: 1, agent: 0, layer: 1, amount: 100n * ONE_CRED }],
      ratings: new Map([[1, 1]]),
      requests: requests([1]),
    }
    const one = partsUnder(asBuilt, { ...both, ratings: new Map() }).reliability
    expect(partsUnder(asBuilt, both).reliability).toBe(0)
    expect(partsUnder(asBuilt, { ...both, requestRatings: new Map([[1, 5]]) }).reliability).toBe(one)
  })
})

describe('the weight of a payment for a request', () => {
  it.each([
    [1n, 10_000_000n, 0n],
    [199n, 10_000_000n, 1n],
    [1_000n, 10_000_000n, 10n],
    [ONE_CRED, 10_000_000n, 10_000_000n],
    [ONE_CRED - 100n, 10_000_000n, 9_999_999n],
    [1_000n * ONE_CRED, 10_000_000n, 10_000_000n],
    [1_000n * ONE_CRED, 20_000_000n, 20_000_000n],
  ])('%d lamports at a debit of %d weigh by %d', (amount, debit, fee) => {
    expect(requestFee({ amount, debit }, 100)).toBe(fee)
  })

  it('is nothing where there is no protocol fee', () => {
    expect(requestFee({ amount: ONE_CRED, debit: 10_000_000n }, 0)).toBe(0n)
  })
})

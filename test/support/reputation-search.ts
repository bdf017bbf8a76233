import { protocolFee, weightOf } from '../../lib/reputation/counterparties/rules.ts'
import { breakdownOf, type Facts } from '../../lib/reputation/rules.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { ONE_CRED } from './paid.ts'
import { PaidLedger } from './paid-ledger.ts'
import {
  asBuilt,
  changedRequests,
  ownerOf,
  type Requests,
  type Rule,
  requestLoss,
  weigh,
} from './request-strategies.ts'

/*
 * A search for the cheapest way to move a score. It changes a strategy at random, and stays with a cheaper
 * one that still reaches the aim. The score of a strategy is computed by the ledger that tests compare with
 * the SQL, and by the rules themselves.
 */

const FEE_BPS = 100
const OWNER = 'owner' as Wallet
const LAYERS = [1, 6, 7, 8, 9, 10, 11]

/** One wallet's payment to one of two agents of the owner. Wallet 0 is the owner itself. */
type Payment = { wallet: number; agent: number; layer: number; amount: bigint }

/** The acts of somebody who has any number of wallets. */
export type Strategy = {
  payments: Payment[]
  /** The latest rating of each wallet that rates. */
  ratings: Map<number, number>
  /** Wallets that hire for a first term and pay nothing. */
  freeWallets: number
  /** The number of other wallets that the owner itself has paid in full. */
  payees?: number
  /** Payments for requests. The search changes them only if the list is set, even if it is empty. */
  requests?: Requests[]
  /** The rating of each wallet that rates the owner's first agent for its requests, after the others. */
  requestRatings?: Map<number, number>
}

const walletOf = (index: number) => (index === 0 ? OWNER : (`wallet ${index}` as Wallet))
const feeOf = (amount: bigint): bigint => protocolFee(amount, FEE_BPS)

/** The parts of the owner's score after these strategies, one after the other. */
export const partsAfter = (...strategies: Strategy[]) => partsUnder(asBuilt, ...strategies)

/** The same, if payments for requests weighed by another rule. */
export function partsUnder(rule: Rule, ...strategies: Strategy[]): ReturnType<typeof breakdownOf> {
  const ledger = new PaidLedger(ONE_CRED)
  for (const { payments, ratings, requests = [], requestRatings = [] } of strategies) {
    for (const { wallet, agent, layer, amount } of payments) {
      const hired = {
        hireId: `${wallet} ${agent}`,
        agentId: `${agent}`,
        owner: OWNER,
        payer: walletOf(wallet),
      }
      ledger.payments.push({ ...hired, layer, amount, fee: feeOf(amount) })
      const rating = ratings.get(wallet)
      if (rating !== undefined) ledger.rate(hired, rating, { now: 0, minPaid: ONE_CRED })
    }
    for (const one of requests) {
      const weighed = weigh(one, rule)
      const owner = (ownerOf(one.agent) as Wallet | undefined) ?? OWNER
      if (weighed)
        ledger.payments.push({ agentId: `${one.agent}`, owner, payer: walletOf(one.wallet), ...weighed })
    }
    for (const [wallet, rating] of requestRatings)
      ledger.rate({ agentId: '0', owner: OWNER, payer: walletOf(wallet) }, rating, {
        now: 0,
        minPaid: ONE_CRED,
      })
  }
  const { payersWeight, satisfiedWeight } = ledger.payersOf({ owner: OWNER })
  const layerWeights = LAYERS.filter((layer) => layer >= 6).map((layer) =>
    Math.min(1, Number(ledger.layerFeeOf(OWNER, layer)) / Number(ONE_CRED)),
  )
  const freeWallets = strategies.reduce((sum, one) => sum + one.freeWallets, 0)
  const facts: Facts = {
    firstLoginAt: null,
    hirers: freeWallets,
    counterparties: freeWallets,
    infrastructureLayers: 0,
    attestations: [],
    paid: {
      payers: { weight: weightOf(payersWeight), satisfied: weightOf(satisfiedWeight) },
      payees:
        weightOf(ledger.paidWeightOf(OWNER)) + strategies.reduce((sum, { payees = 0 }) => sum + payees, 0),
      layers: layerWeights.reduce((sum, weight) => sum + weight, 0),
    },
  }
  return breakdownOf(facts, new Date(0))
}

const sumOver = (payments: Payment[], of: (amount: bigint) => bigint) =>
  Number(payments.reduce((sum, { amount }) => sum + of(amount), 0n)) / Number(ONE_CRED)

/** The cost of a strategy in CRED. A payment to one's own agents loses the fees, to another's all of it. */
export const lossOf = {
  ownFees: ({ payments, requests = [] }: Strategy) =>
    sumOver(payments, feeOf) + requests.reduce((sum, one) => sum + requestLoss.own(one), 0),
  allPaid: ({ payments, requests = [] }: Strategy) =>
    sumOver(payments, (amount) => amount) + requests.reduce((sum, one) => sum + requestLoss.all(one), 0),
}

/** Pseudo-random numbers from 0 to 1, the same in each run. */
function randomNumbers(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Finds the cheapest strategy that reaches an aim, from one that does.
 * @param steps how many changes are tried
 */
export function cheapest(
  start: Strategy,
  {
    reaches,
    costOf,
    seed,
    steps,
  }: {
    reaches(strategy: Strategy): boolean
    costOf(strategy: Strategy): number
    seed: number
    steps: number
  },
): { strategy: Strategy; cost: number } {
  if (!reaches(start)) throw new Error('the search must start from a strategy that reaches the aim')
  const random = randomNumbers(seed)
  let best = { strategy: start, cost: costOf(start) }
  for (let step = 0; step < steps; step += 1) {
    const strategy = changed(best.strategy, random)
    const cost = costOf(strategy)
    // As cheap is taken, too: from there another change may lead on.
    if (cost <= best.cost && reaches(strategy)) best = { strategy, cost }
  }
  return best
}

function changed(strategy: Strategy, random: () => number): Strategy {
  const { payments, ratings, requests, requestRatings = new Map() } = strategy
  if (requests && random() < 0.5) return { ...strategy, requests: changedRequests(requests, random) }
  const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const scaled = (amount: bigint, factor: number) => BigInt(Math.max(1, Math.round(Number(amount) * factor)))
  // Down or up, by much or by very little.
  const factor = 1 + (random() - 0.6) * 10 ** (-4 * random())
  const newPayment = (): Payment => ({
    wallet: Math.floor(random() * 40),
    agent: any([0, 1]),
    layer: any(LAYERS),
    amount: scaled(ONE_CRED, 10 ** (5 * random() - 2)),
  })
  const chosen = any(payments.map((_, index) => index))
  const withChosen = (change: (payment: Payment) => Payment[]) =>
    payments.flatMap((payment, index) => (index === chosen ? change(payment) : [payment]))
  const next = any<() => Partial<Strategy>>([
    () => ({ payments: payments.map((one) => ({ ...one, amount: scaled(one.amount, factor) })) }),
    () => ({ payments: withChosen((one) => [{ ...one, amount: scaled(one.amount, factor) }]) }),
    () => ({ payments: withChosen((one) => [{ ...one, wallet: Math.floor(random() * 40) }]) }),
    () => ({ payments: withChosen((one) => [{ ...one, agent: any([0, 1]), layer: any(LAYERS) }]) }),
    () => ({
      payments: withChosen((one) => {
        const half = { ...one, amount: one.amount / 2n + 1n }
        return [half, { ...half, wallet: Math.floor(random() * 40) }]
      }),
    }),
    () => ({ payments: [...payments, newPayment()] }),
    () => ({ payments: payments.length === 1 && !requests ? payments : withChosen(() => []) }),
    () => ({
      payments: [...payments.slice(0, -1), newPayment()],
    }),
    () => ({ ratings: new Map([...ratings, [Math.floor(random() * 40), any([1, 2, 3, 5])]]) }),
    () => ({ ratings: new Map([...ratings].filter(() => random() < 0.8)) }),
    () => ({ freeWallets: any([0, 1, 20, 500]) }),
    ...(requests
      ? [
          () => ({
            requestRatings: new Map([...requestRatings, [Math.floor(random() * 40), any([1, 2, 3, 5])]]),
          }),
        ]
      : []),
  ])()
  return { ...strategy, ...next }
}

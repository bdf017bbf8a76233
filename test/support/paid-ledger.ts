import { WEIGHT_UNIT } from '../../lib/reputation/dealings/rules.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Hired } from './hires.ts'
import type { Payment } from './paid.ts'

type Given = Hired & { rating: number; at: number }

/** Payments and ratings, and what they come to, each time computed from all of them. */
export class PaidLedger {
  readonly payments: Payment[] = []
  /** In the order in which they were given. */
  readonly ratings: Given[] = []
  readonly feeStep: bigint

  constructor(feeStep: bigint) {
    this.feeStep = feeStep
  }

  /** Rates a hire if it may be rated. Whether it is then rated so. */
  rate(hired: Hired, rating: number, { now, minPaid }: { now: number; minPaid: bigint }): boolean {
    if (hired.owner === hired.payer || this.collectedOf(hired.hireId) < minPaid) return false
    const [first, revision] = this.ratings.filter(({ hireId }) => hireId === hired.hireId)
    if ((revision ?? first)?.rating === rating) return true
    if (revision || (first && now >= first.at + 30 * DAY_MS)) return false
    this.ratings.push({ ...hired, rating, at: now })
    return true
  }

  get #counting() {
    return this.payments.filter(({ owner, payer }) => owner !== payer)
  }

  /** What the payers of an agent or an owner come to, in billionths. */
  payersOf(payee: { agentId: string } | { owner: Wallet }) {
    const isOf = (one: { agentId: string; owner: Wallet }) =>
      'agentId' in payee ? one.agentId === payee.agentId : one.owner === payee.owner
    const payments = this.#counting.filter(isOf)
    const each = [...new Set(payments.map(({ payer }) => payer))].map((payer) => ({
      weight: this.#weightOf(payments.filter((payment) => payment.payer === payer)),
      rating: this.ratings.findLast((given) => isOf(given) && given.payer === payer)?.rating,
    }))
    const sum = (of: (one: (typeof each)[number]) => bigint) =>
      each.reduce((total, one) => total + of(one), 0n)
    return {
      payersWeight: sum(({ weight }) => weight),
      satisfiedWeight: sum(({ weight, rating = 5 }) => (rating > 2 ? weight : 0n)),
      ratings: each.filter(({ rating }) => rating !== undefined).length,
      ratedWeight: sum(({ weight, rating }) => (rating === undefined ? 0n : weight)),
      ratingSum: sum(({ weight, rating = 0 }) => weight * BigInt(rating)),
    }
  }

  /** What a wallet weighs with all owners together. */
  paidWeightOf(payer: Wallet): bigint {
    const payments = this.#counting.filter((payment) => payment.payer === payer)
    const owners = [...new Set(payments.map(({ owner }) => owner))]
    return owners.reduce(
      (sum, owner) => sum + this.#weightOf(payments.filter((payment) => payment.owner === owner)),
      0n,
    )
  }

  /** The fees that were paid to an owner for a layer. */
  layerFeeOf(owner: Wallet, layer: number): bigint {
    return feesOf(this.#counting.filter((payment) => payment.owner === owner && payment.layer === layer))
  }

  collectedOf(hireId: string): bigint {
    return this.#counting
      .filter((payment) => payment.hireId === hireId)
      .reduce((sum, { amount }) => sum + amount, 0n)
  }

  #weightOf(payments: Payment[]): bigint {
    const fee = feesOf(payments)
    return ((fee < this.feeStep ? fee : this.feeStep) * BigInt(WEIGHT_UNIT)) / this.feeStep
  }
}

const feesOf = (payments: Payment[]): bigint => payments.reduce((sum, { fee }) => sum + fee, 0n)

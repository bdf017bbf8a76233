import { WEIGHT_UNIT } from '../../lib/reputation/counterparties/rules.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Hired } from './hires.ts'
import type { Payment } from './paid.ts'

/** Of a hire, or, without one, of requests to the agent. */
type Rated = Omit<Hired, 'hireId'> & { hireId?: string }
type Given = Rated & { rating: number; at: number }

/** Payments and ratings, and what they come to, each time computed from all of them. */
export class PaidLedger {
  /** Of hires, and, without one, for requests. */
  readonly payments: (Omit<Payment, 'hireId'> & { hireId?: string })[] = []
  /** In the order in which they were given. */
  readonly ratings: Given[] = []
  readonly feeStep: bigint

  constructor(feeStep: bigint) {
    this.feeStep = feeStep
  }

  /** Rates a hire or an agent if it may be rated. Whether it is then rated so. */
  rate(rated: Rated, rating: number, { now, minPaid }: { now: number; minPaid: bigint }): boolean {
    const paid = rated.hireId === undefined ? this.requestsPaidOf(rated) : this.collectedOf(rated.hireId)
    if (rated.owner === rated.payer || paid < minPaid) return false
    const [first, revision] = this.ratings.filter(
      ({ hireId, agentId, payer }) =>
        hireId === rated.hireId && agentId === rated.agentId && payer === rated.payer,
    )
    if ((revision ?? first)?.rating === rating) return true
    if (revision || (first && now >= first.at + 30 * DAY_MS)) return false
    this.ratings.push({ ...rated, rating, at: now })
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
    return sumOf(this.#counting.filter((payment) => payment.hireId === hireId))
  }

  requestsPaidOf({ agentId, payer }: { agentId: string; payer: Wallet }): bigint {
    return sumOf(
      this.#counting.filter(
        (one) => one.hireId === undefined && one.agentId === agentId && one.payer === payer,
      ),
    )
  }

  #weightOf(payments: { fee: bigint }[]): bigint {
    const fee = feesOf(payments)
    return ((fee < this.feeStep ? fee : this.feeStep) * BigInt(WEIGHT_UNIT)) / this.feeStep
  }
}

const feesOf = (payments: { fee: bigint }[]): bigint => payments.reduce((sum, { fee }) => sum + fee, 0n)
const sumOf = (payments: { amount: bigint }[]): bigint =>
  payments.reduce((sum, { amount }) => sum + amount, 0n)

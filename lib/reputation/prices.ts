import { type Cred, cred } from '../../schema/amounts.ts'
import {
  collectedFor,
  HALF_OF_FREE_HIRERS,
  SHARES,
  WEIGHT_UNIT,
  WILSON_Z,
  weightOf,
} from './counterparties/rules.ts'
import type { FeeSettings } from './counterparties/settings.ts'
import {
  breakdownOf,
  type Facts,
  FREE_WEIGHT,
  MAX_FREE_WEIGHT,
  MAX_PART,
  NOTHING_PAID,
  POINTS_PER_LAYER,
  SOCIAL_SCALE,
} from './rules.ts'

/** The parts of a score that payments raise. */
export type PaidPart = 'reliability' | 'social' | 'infrastructure'

/** The least cost of points: the protocol fees, and the amount to collect for these fees. */
export type Price = { points: number; fee: Cred; collected: Cred }

const POINTS_APART = 10
/** The highest weight for which prices are listed. */
const MAX_WEIGHT = 100n * BigInt(WEIGHT_UNIT)

const NOBODY: Facts = {
  firstLoginAt: null,
  hirers: 0,
  counterparties: 0,
  infrastructureLayers: 0,
  attestations: [],
  paid: NOTHING_PAID,
}
/** Facts above the caps of all free points. */
const ALL_THAT_IS_FREE: Facts = {
  ...NOBODY,
  hirers: 2 ** 31 - 1,
  counterparties: 2 ** 31 - 1,
  infrastructureLayers: 6,
}

/** Adds payments of a weight to the facts, with all payers satisfied. */
const paidWith: Record<PaidPart, (weight: number) => Partial<Facts['paid']>> = {
  reliability: (weight) => ({ payers: { weight, satisfied: weight } }),
  social: (weight) => ({ payees: weight }),
  infrastructure: (weight) => ({ layers: weight }),
}

/**
 * The formula of each part, in arithmetic that most languages can parse. `w` is the paid weight with all
 * payers satisfied: the sum of fees / feeStep, at most 1 per payer. `u`, `c` and `d` cost nothing.
 */
export const FORMULAS: Record<PaidPart, string> = {
  reliability: `${MAX_PART * SHARES.paid} * w / (w + ${WILSON_Z} * ${WILSON_Z}) + ${MAX_PART * SHARES.free} * u / (u + ${HALF_OF_FREE_HIRERS})`,
  social: `${MAX_PART} * (1 - exp(-(w + min(${MAX_FREE_WEIGHT}, ${FREE_WEIGHT} * c)) / ${SOCIAL_SCALE}))`,
  infrastructure: `min(${MAX_PART}, ${POINTS_PER_LAYER.declared} * d + ${POINTS_PER_LAYER.paid} * w)`,
}

const pointsOf = (facts: Facts, part: PaidPart): number => breakdownOf(facts, new Date(0))[part]

/** Computes the most points of a part without any payment. */
export const mostForFree = (part: PaidPart): number => pointsOf(ALL_THAT_IS_FREE, part)

/** The buyer of points: a wallet with no other facts, or with all free points. */
type Buyer = 'nobody' | 'with all that is free'

const BUYERS: Record<Buyer, Facts> = { nobody: NOBODY, 'with all that is free': ALL_THAT_IS_FREE }

/**
 * Lists the least price of every tenth point of a part, 0 for free points. It is empty if the protocol fee
 * is zero.
 */
export function pricesOf(part: PaidPart, { feeBps, feeStep }: FeeSettings, buyer: Buyer = 'nobody'): Price[] {
  if (feeBps === 0) return []
  const prices: Price[] = []
  for (let points = POINTS_APART; ; points += POINTS_APART) {
    const weight = leastWeight((of) => {
      const paid = { ...NOTHING_PAID, ...paidWith[part](weightOf(of)) }
      return pointsOf({ ...BUYERS[buyer], paid }, part) >= points
    })
    if (weight === undefined) return prices
    const fee = roundedUp(weight * feeStep, BigInt(WEIGHT_UNIT))
    prices.push({ points, fee: cred(fee), collected: collectedFor(fee, feeBps) })
  }
}

/** Finds the least sufficient weight, in billionths; undefined if MAX_WEIGHT is not sufficient. */
function leastWeight(isEnough: (weight: bigint) => boolean): bigint | undefined {
  if (!isEnough(MAX_WEIGHT)) return undefined
  let [tooLittle, enough] = [-1n, MAX_WEIGHT]
  while (enough - tooLittle > 1n) {
    const middle = (tooLittle + enough) / 2n
    if (isEnough(middle)) enough = middle
    else tooLittle = middle
  }
  return enough
}

const roundedUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

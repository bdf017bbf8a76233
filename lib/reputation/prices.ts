import { type Cred, cred } from '../../schema/amounts.ts'
import {
  collectedFor,
  HALF_OF_FREE_HIRERS,
  SHARES,
  WEIGHT_UNIT,
  WILSON_Z,
  weightOf,
} from './dealings/rules.ts'
import type { FeeSettings } from './dealings/settings.ts'
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

/** What so many points cost at least: in protocol fees, and in what must be collected for these. */
export type Price = { points: number; fee: Cred; collected: Cred }

const POINTS_APART = 10
/** Beyond this weight no prices are listed. */
const MAX_WEIGHT = 100n * BigInt(WEIGHT_UNIT)

const NOBODY: Facts = {
  firstLoginAt: null,
  hirers: 0,
  counterparties: 0,
  infrastructureLayers: 0,
  attestations: [],
  paid: NOTHING_PAID,
}
/** More than anybody will ever have for nothing. */
const ALL_THAT_IS_FREE: Facts = {
  ...NOBODY,
  hirers: 2 ** 31 - 1,
  counterparties: 2 ** 31 - 1,
  infrastructureLayers: 6,
}

/** What a payment of this weight adds to the facts, where all who pay are satisfied. */
const paidWith: Record<PaidPart, (weight: number) => Partial<Facts['paid']>> = {
  reliability: (weight) => ({ payers: { weight, satisfied: weight } }),
  social: (weight) => ({ payees: weight }),
  infrastructure: (weight) => ({ layers: weight }),
}

/**
 * The points of a part, as arithmetic that most languages read: `w` is the weight that was paid, all of whose
 * payers are satisfied, each weighing its fees / feeStep, 1 at most; `u`, `c` and `d` cost nothing.
 */
export const FORMULAS: Record<PaidPart, string> = {
  reliability: `${MAX_PART * SHARES.paid} * w / (w + ${WILSON_Z} * ${WILSON_Z}) + ${MAX_PART * SHARES.free} * u / (u + ${HALF_OF_FREE_HIRERS})`,
  social: `${MAX_PART} * (1 - exp(-(w + min(${MAX_FREE_WEIGHT}, ${FREE_WEIGHT} * c)) / ${SOCIAL_SCALE}))`,
  infrastructure: `min(${MAX_PART}, ${POINTS_PER_LAYER.declared} * d + ${POINTS_PER_LAYER.paid} * w)`,
}

const pointsOf = (facts: Facts, part: PaidPart): number => breakdownOf(facts, new Date(0))[part]

/** What a part comes to at most without any payment. */
export const mostForFree = (part: PaidPart): number => pointsOf(ALL_THAT_IS_FREE, part)

/** Who buys points: a wallet that has nothing else, or one with all that costs nothing. */
type Buyer = 'nobody' | 'with all that is free'

const BUYERS: Record<Buyer, Facts> = { nobody: NOBODY, 'with all that is free': ALL_THAT_IS_FREE }

/**
 * Lists what every tenth point of a part costs at least; nothing for points that are free. With a fee of zero
 * nothing can be bought.
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

/** The least weight, in billionths, that is enough, as every greater one is; undefined when none is. */
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

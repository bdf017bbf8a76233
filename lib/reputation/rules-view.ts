import { formatAmount } from '../../schema/amounts.ts'
import type { Wire } from '../../schema/wire/common.ts'
import type { ReputationRules } from '../../schema/wire/reputation.ts'
import type { FeeSettings } from './counterparties/settings.ts'
import { FORMULAS, mostForFree, type PaidPart, type Price, pricesOf } from './prices.ts'
import { DAYS_TO_FULL_TENURE, MAX_PART, MAX_UNVERIFIED_POINTS, POINTS, TIERS } from './rules.ts'

/** Makes ReputationRules: the rules under these settings, with the prices of points. */
export function rulesView(fees: FeeSettings): Wire<typeof ReputationRules> {
  const paidPart = (part: PaidPart) => ({
    most: MAX_PART,
    mostForFree: mostForFree(part),
    formula: FORMULAS[part],
    prices: pricesOf(part, fees).map(priceView),
    pricesBesideFree: pricesOf(part, fees, 'with all that is free').map(priceView),
  })
  return {
    feeBps: fees.feeBps,
    feeStep: fees.feeStep,
    feeStepFormatted: formatAmount(fees.feeStep),
    minPaid: fees.minPaid,
    minPaidFormatted: formatAmount(fees.minPaid),
    reliability: paidPart('reliability'),
    skill: {
      most: MAX_PART,
      mostUnverified: MAX_UNVERIFIED_POINTS,
      selfAttested: POINTS.self_attested,
      documentSubmitted: POINTS.document_submitted,
      thirdPartyVerified: POINTS.third_party_verified,
      onChainProven: POINTS.on_chain_proven,
    },
    tenure: { most: MAX_PART, daysToMost: DAYS_TO_FULL_TENURE },
    social: paidPart('social'),
    infrastructure: paidPart('infrastructure'),
    tiers: TIERS.map(({ tier, score, needsVerified }) => ({
      tier,
      score,
      needsVerifiedAttestation: needsVerified,
    })),
  }
}

const priceView = ({ points, fee, collected }: Price) => ({
  points,
  fee,
  feeFormatted: formatAmount(fee),
  collected,
  collectedFormatted: formatAmount(collected),
})

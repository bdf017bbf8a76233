import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { reputationTiers } from '../../values.ts'
import { WireAmount } from '../common.ts'

const Points = v.pipe(v.number(), v.minValue(0), v.maxValue(200))

const PointPrice = v.strictObject({
  points: Points,
  fee: WireAmount,
  feeFormatted: v.string(),
  collected: WireAmount,
  collectedFormatted: v.string(),
})

if (WORDS)
  describe(PointPrice, {
    name: 'PointPrice',
    description: 'What so many points cost at least.',
    fields: {
      points: 'So many points of the part.',
      fee: 'Protocol fees in lamports, from as many payers as it takes, all of them satisfied.',
      feeFormatted: 'The same in CRED.',
      collected: 'What must be collected for these fees. Who pays itself loses only the fees.',
      collectedFormatted: 'The same in CRED.',
    },
  })

const PaidPart = v.strictObject({
  most: Points,
  mostForFree: Points,
  formula: v.string(),
  prices: v.array(PointPrice),
  pricesBesideFree: v.array(PointPrice),
})

if (WORDS)
  describe(PaidPart, {
    name: 'PaidPart',
    description: 'A part of a score that payments raise.',
    fields: {
      most: 'The part’s most points.',
      mostForFree: 'What it comes to at most without any payment.',
      formula:
        'The points, by the weight w of what was paid, all of whose payers are satisfied; u other wallets whose hire ran its first term, c counterparties and d declared layers cost nothing. A payer’s weight is its fees divided by feeStep, 1 at most, and w is their sum.',
      prices:
        'Of every tenth point, for a wallet that has nothing else. In ascending order; empty when there is no protocol fee, which nothing weighs without.',
      pricesBesideFree: 'The same for a wallet that has all that costs nothing.',
    },
  })

const SkillPart = v.strictObject({
  most: Points,
  mostUnverified: Points,
  selfAttested: Points,
  documentSubmitted: Points,
  thirdPartyVerified: Points,
  onChainProven: Points,
})

if (WORDS)
  describe(SkillPart, {
    name: 'SkillPart',
    description: 'What an attestation of each level is worth. No fee buys any.',
    fields: {
      most: 'The part’s most points.',
      mostUnverified: 'What self-attested and document-submitted ones are worth together at most.',
      selfAttested: 'Points.',
      documentSubmitted: 'Points.',
      thirdPartyVerified: 'Points.',
      onChainProven: 'Points.',
    },
  })

const TenurePart = v.strictObject({ most: Points, daysToMost: v.pipe(v.number(), v.integer()) })

if (WORDS)
  describe(TenurePart, {
    name: 'TenurePart',
    description: 'What time is worth, 200·√(days / 365). No fee buys any.',
    fields: { most: 'The part’s most points.', daysToMost: 'Days since the first login until then.' },
  })

const TierRule = v.strictObject({
  tier: v.picklist(reputationTiers),
  score: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)),
  needsVerifiedAttestation: v.boolean(),
})

if (WORDS)
  describe(TierRule, {
    name: 'TierRule',
    description: 'What a tier takes.',
    fields: {
      tier: 'The tier.',
      score: 'Its lowest score.',
      needsVerifiedAttestation: 'Whether it takes an attestation verified by a third party or on chain.',
    },
  })

export const ReputationRules = v.strictObject({
  feeBps: v.pipe(v.number(), v.integer(), v.minValue(0)),
  feeStep: WireAmount,
  feeStepFormatted: v.string(),
  minPaid: WireAmount,
  minPaidFormatted: v.string(),
  reliability: PaidPart,
  skill: SkillPart,
  tenure: TenurePart,
  social: PaidPart,
  infrastructure: PaidPart,
  tiers: v.array(TierRule),
})

if (WORDS)
  describe(ReputationRules, {
    name: 'ReputationRules',
    description: 'What each part of a score takes, and costs.',
    fields: {
      feeBps: 'The protocol fee, in basis points of what is collected.',
      feeStep:
        'Lamports of protocol fees from which on a payer weighs 1; less weighs less in proportion. A payer keeps the step that stood when it first paid; infrastructure follows the present one.',
      feeStepFormatted: 'The same in CRED.',
      minPaid: 'Lamports that must have been collected for a hire before it is rated.',
      minPaidFormatted: 'The same in CRED.',
      reliability: 'By the weights of wallets that pay its agents.',
      skill: 'By attestations.',
      tenure: 'By time.',
      social: 'By the weights of wallets that it pays or that pay it.',
      infrastructure: 'By what was paid for layers 6 to 11, each of which weighs 1 at most.',
      tiers: 'Highest first.',
    },
    example: {
      feeBps: 100,
      feeStep: 1000000000,
      feeStepFormatted: '1',
      minPaid: 1000000000,
      minPaidFormatted: '1',
      reliability: {
        most: 200,
        mostForFree: 40,
        formula: '160 * w / (w + 1.96 * 1.96) + 40 * u / (u + 4)',
        prices: [
          {
            points: 10,
            fee: 255970081,
            feeFormatted: '0.255970081',
            collected: 25597008001,
            collectedFormatted: '25.597008001',
          },
        ],
        pricesBesideFree: [{ points: 10, fee: 0, feeFormatted: '0', collected: 0, collectedFormatted: '0' }],
      },
      skill: {
        most: 200,
        mostUnverified: 40,
        selfAttested: 5,
        documentSubmitted: 15,
        thirdPartyVerified: 50,
        onChainProven: 75,
      },
      tenure: { most: 200, daysToMost: 365 },
      social: {
        most: 200,
        mostForFree: 36.25,
        formula: '200 * (1 - exp(-(w + min(2, 0.1 * c)) / 10))',
        prices: [
          {
            points: 10,
            fee: 512669790,
            feeFormatted: '0.51266979',
            collected: 51266978901,
            collectedFormatted: '51.266978901',
          },
        ],
        pricesBesideFree: [{ points: 10, fee: 0, feeFormatted: '0', collected: 0, collectedFormatted: '0' }],
      },
      infrastructure: {
        most: 200,
        mostForFree: 30,
        formula: 'min(200, 5 * d + 35 * w)',
        prices: [
          {
            points: 10,
            fee: 285571429,
            feeFormatted: '0.285571429',
            collected: 28557142801,
            collectedFormatted: '28.557142801',
          },
        ],
        pricesBesideFree: [{ points: 10, fee: 0, feeFormatted: '0', collected: 0, collectedFormatted: '0' }],
      },
      tiers: [{ tier: 'Elite', score: 850, needsVerifiedAttestation: true }],
    },
  })

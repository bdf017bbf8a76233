import * as v from 'valibot'
import { reputationTiers } from '../../values.ts'
import { OwnText } from '../answer-text.ts'
import { body } from '../body.ts'
import { Count, WireAmount } from '../common.ts'

const Points = v.pipe(v.number(), v.minValue(0), v.maxValue(200))

const PointPrice = body('PointPrice', 'The minimum price of a number of points.', {
  points: [Points, 'The points.'],
  fee: [WireAmount, 'Protocol fees in lamports, if all payers are satisfied.'],
  feeFormatted: [OwnText, 'The same in CRED.'],
  collected: [
    WireAmount,
    'The collected amount that has these fees. A wallet that pays itself loses only the fees.',
  ],
  collectedFormatted: [OwnText, 'The same in CRED.'],
})

const PaidPart = body('PaidPart', 'A part of the score that payments raise.', {
  most: [Points, 'The maximum points of this part.'],
  mostForFree: [Points, 'The maximum points without any payment.'],
  formula: [
    OwnText,
    'The points for payments of weight w, if all payers are satisfied. A payer’s weight is its fees divided by feeStep, at most 1; w is the sum. Free of cost are u (other wallets whose hire ran its first term), c (counterparties) and d (declared layers).',
  ],
  prices: [
    v.array(PointPrice),
    'The price of every tenth point for a wallet that has nothing else, ascending. Empty without a protocol fee, because payments then have no weight.',
  ],
  pricesBesideFree: [v.array(PointPrice), 'The same for a wallet that has all points that are free of cost.'],
})

const SkillPart = body('SkillPart', 'The points of an attestation of each level. Fees do not buy any.', {
  most: [Points, 'The maximum points of this part.'],
  mostUnverified: [
    Points,
    'The maximum points of self-attested and document-submitted attestations together.',
  ],
  selfAttested: [Points, 'Points.'],
  documentSubmitted: [Points, 'Points.'],
  thirdPartyVerified: [Points, 'Points.'],
  onChainProven: [Points, 'Points.'],
})

const TenurePart = body('TenurePart', 'The points for time, 200·√(days / 365). Fees do not buy any.', {
  most: [Points, 'The maximum points of this part.'],
  daysToMost: [v.pipe(v.number(), v.integer()), 'Days since the first login until the maximum.'],
})

const TierRule = body('TierRule', 'The requirements of a tier.', {
  tier: [v.picklist(reputationTiers), 'The tier.'],
  score: [v.pipe(v.number(), v.minValue(0), v.maxValue(1000)), 'The lowest score of this tier.'],
  needsVerifiedAttestation: [
    v.boolean(),
    'Whether it requires an attestation verified by a third party or on chain.',
  ],
})

export const ReputationRules = body(
  'ReputationRules',
  'What each part of the score requires and costs.',
  {
    feeBps: [Count, 'The protocol fee, in basis points of what is collected.'],
    feeStep: [
      WireAmount,
      'Protocol fees, in lamports, that give a payer the full weight 1; smaller fees weigh proportionally less. A payer keeps the value at its first payment; infrastructure uses the current one.',
    ],
    feeStepFormatted: [OwnText, 'The same in CRED.'],
    minPaid: [WireAmount, 'Lamports that must have been collected for a hire before it is rated.'],
    minPaidFormatted: [OwnText, 'The same in CRED.'],
    reliability: [PaidPart, 'From the weights of wallets that pay its agents.'],
    skill: [SkillPart, 'By attestations.'],
    tenure: [TenurePart, 'By time.'],
    social: [PaidPart, 'From the weights of wallets that it pays or that pay it.'],
    infrastructure: [PaidPart, 'From payments for layers 6 to 11; the weight of each layer is at most 1.'],
    tiers: [v.array(TierRule), 'Highest first.'],
  },
  {
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
)

import * as v from 'valibot'
import { exampleOf } from '../docs.ts'
import { ATTESTATION_ID, WALLET } from '../examples.ts'
import { reputationTiers, verificationLevels } from '../values.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body, parameters } from './body.ts'
import { CalendarDate, Count, Timestamp, Url, WalletAddress, WireAmount, WireUuid } from './common.ts'
import { Name } from './text.ts'

const Part = v.pipe(v.number(), v.minValue(0), v.maxValue(200))

export const Attestation = body(
  'Attestation',
  'A credential that a wallet claims to have.',
  {
    id: [WireUuid, 'UUID.'],
    credentialType: [UserText, 'What kind of credential.'],
    verificationLevel: [v.picklist(verificationLevels), 'How it is verified.'],
    pointsAwarded: [Count, 'The points that its level adds to the skill part.'],
    createdAt: [Timestamp, 'When it was recorded.'],
    expiresAt: [v.optional(Timestamp), 'From then on it adds nothing to the score.'],
  },
  {
    id: ATTESTATION_ID,
    credentialType: 'certification',
    verificationLevel: 'third_party_verified',
    pointsAwarded: 50,
    createdAt: '2026-11-20T09:00:00.000Z',
    expiresAt: '2028-01-01T00:00:00.000Z',
  },
)

export const attestationExample = exampleOf(Attestation)

const part = 'From 0 to 200:'

const ReputationBreakdown = body('ReputationBreakdown', 'The five parts that add up to the score.', {
  reliability: [
    Part,
    `${part} up to 160 from satisfied wallets that pay its agents; less than 40 from other wallets whose hire of its agents ran its first term.`,
  ],
  skill: [Part, `${part} points of valid attestations; unverified ones add at most 40.`],
  tenure: [Part, `${part} time since the first login, full after a year.`],
  social: [
    Part,
    `${part} wallets that paid it or that it paid, by the amount; wallets that only hired, were hired, or were referred as pioneers add at most 36.25.`,
  ],
  infrastructure: [
    Part,
    `${part} 5 for each layer of 6 to 11 that its active agents declare, and up to 35 by what was paid for it.`,
  ],
})
/** A sum of weights, each from 0 to 1. */
const Weight = v.pipe(v.number(), v.minValue(0))

const ReputationEvidence = body('ReputationEvidence', 'The facts behind each part.', {
  reliability: [
    v.strictObject({ hirers: Count, payersWeight: Weight, satisfiedWeight: Weight }),
    'Other wallets whose hire of one of its agents ran its first term; the weight of those that paid, and of the payers whose latest rating is not 1 or 2. A payer’s weight is at most 1 (GET /reputation/rules).',
  ],
  skill: [
    v.strictObject({
      selfAttested: Count,
      documentSubmitted: Count,
      thirdPartyVerified: Count,
      onChainProven: Count,
    }),
    'Attestations of each level that have not expired.',
  ],
  tenure: [
    v.strictObject({ since: v.optional(Timestamp) }),
    'Its first login; absent if it never logged in.',
  ],
  social: [
    v.strictObject({ counterparties: Count, paidWeight: Weight }),
    'Wallets that hired it or that it hired, if the first term ran to its end, and pioneers that it referred; the weights of payments in either direction.',
  ],
  infrastructure: [
    v.strictObject({ layers: Count, paidWeight: Weight }),
    'The layers from 6 to 11 that its active agents declare; the weight of payments for them, at most 1 per layer.',
  ],
})

const NextTier = body('NextTier', 'What is missing for the next tier.', {
  tier: [v.picklist(reputationTiers), 'The next tier.'],
  score: [v.pipe(v.number(), v.minValue(0), v.maxValue(1000)), 'The lowest score of this tier.'],
  missingScore: [v.pipe(v.number(), v.minValue(0), v.maxValue(1000)), 'The points that are missing.'],
  needsVerifiedAttestation: [
    v.boolean(),
    'Whether an attestation verified by a third party or on chain is missing.',
  ],
  payers: [
    v.optional(Count),
    'How many more satisfied wallets with full weight would add the missing points; absent above a hundred.',
  ],
})

export const Reputation = body(
  'Reputation',
  'A wallet’s reputation.',
  {
    userId: [OwnText, 'The wallet.'],
    score: [v.pipe(v.number(), v.minValue(0), v.maxValue(1000)), '0 to 1000.'],
    tier: [
      v.picklist(reputationTiers),
      'Basic from 100, Verified 250, Trusted 450, Power 650, Elite 850. Verified and above require a verified attestation.',
    ],
    breakdown: [ReputationBreakdown, 'The parts of the score.'],
    evidence: [ReputationEvidence, 'The facts behind each part.'],
    attestations: [v.array(Attestation), 'The strongest and newest first, up to 200.'],
    nextTier: [v.optional(NextTier), 'What is missing for the next tier; absent in the highest.'],
  },
  {
    userId: WALLET,
    score: 136.11,
    tier: 'Basic',
    breakdown: { reliability: 17.14, skill: 50, tenure: 57.34, social: 11.63, infrastructure: 0 },
    evidence: {
      reliability: { hirers: 3, payersWeight: 0, satisfiedWeight: 0 },
      skill: { selfAttested: 0, documentSubmitted: 0, thirdPartyVerified: 1, onChainProven: 0 },
      tenure: { since: '2026-10-21T09:00:00.000Z' },
      social: { counterparties: 6, paidWeight: 0 },
      infrastructure: { layers: 0, paidWeight: 0 },
    },
    attestations: [attestationExample],
    nextTier: {
      tier: 'Verified',
      score: 250,
      missingScore: 113.89,
      needsVerifiedAttestation: false,
      payers: 4,
    },
  },
)

/** Body of POST /reputation/attest/skill. */
export const AttestationRequest = body(
  'AttestationRequest',
  'A credential. Unknown fields are rejected.',
  {
    credentialType: [Name(1, 64), 'What kind of credential, up to 64 characters.'],
    credentialId: [Name(1, 128), 'The issuer’s id of it, or the address of an on-chain attestation.'],
    issuingAuthority: [v.optional(Name(1, 128)), 'Who issued it.'],
    issuedDate: [v.optional(CalendarDate), 'Calendar date.'],
    expiryDate: [v.optional(CalendarDate), 'Calendar date; it is valid until the end of that day, UTC.'],
    documentUrl: [v.optional(Url('https')), 'https link to a supporting document, shown to oracles only.'],
  },
  {
    credentialType: 'certification',
    credentialId: 'AWS-SAA-12345',
    issuingAuthority: 'Amazon Web Services',
    issuedDate: '2025-01-01',
    expiryDate: '2027-12-31',
    documentUrl: 'https://certs.example.com/AWS-SAA-12345.pdf',
  },
)

export const ReputationQuery = parameters({ user_id: [WalletAddress, 'The wallet.'] }, { user_id: WALLET })

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

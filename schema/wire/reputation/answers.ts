import * as v from 'valibot'
import { exampleOf } from '../../docs.ts'
import { ATTESTATION_ID, WALLET } from '../../examples.ts'
import { reputationTiers, verificationLevels } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { body } from '../body.ts'
import { Count, Timestamp, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

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

import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { ATTESTATION_ID, WALLET } from '../../examples.ts'
import { reputationTiers, verificationLevels } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Timestamp, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

const Part = v.pipe(v.number(), v.minValue(0), v.maxValue(200))

export const Attestation = v.strictObject({
  id: WireUuid,
  credentialType: UserText,
  verificationLevel: v.picklist(verificationLevels),
  pointsAwarded: v.pipe(v.number(), v.integer(), v.minValue(0)),
  createdAt: Timestamp,
  expiresAt: v.optional(Timestamp),
})

export const attestationExample: v.InferInput<typeof Attestation> = {
  id: ATTESTATION_ID,
  credentialType: 'certification',
  verificationLevel: 'third_party_verified',
  pointsAwarded: 50,
  createdAt: '2026-11-20T09:00:00.000Z',
  expiresAt: '2028-01-01T00:00:00.000Z',
}

describe(Attestation, {
  name: 'Attestation',
  description: 'A credential that a wallet claims to have.',
  fields: {
    id: 'UUID.',
    credentialType: 'What kind of credential.',
    verificationLevel: 'How it is verified.',
    pointsAwarded: 'The points that its level adds to the skill part.',
    createdAt: 'When it was recorded.',
    expiresAt: 'From then on it adds nothing to the score.',
  },
  example: attestationExample,
})

const part = 'From 0 to 200:'

const ReputationBreakdown = v.strictObject({
  reliability: Part,
  skill: Part,
  tenure: Part,
  social: Part,
  infrastructure: Part,
})

describe(ReputationBreakdown, {
  name: 'ReputationBreakdown',
  description: 'The five parts that add up to the score.',
  fields: {
    reliability: `${part} up to 160 from satisfied wallets that pay its agents; less than 40 from other wallets whose hire of its agents ran its first term.`,
    skill: `${part} points of valid attestations; unverified ones add at most 40.`,
    tenure: `${part} time since the first login, full after a year.`,
    social: `${part} wallets that paid it or that it paid, by the amount; wallets that only hired, were hired, or were referred as pioneers add at most 36.25.`,
    infrastructure: `${part} 5 for each layer of 6 to 11 that its active agents declare, and up to 35 by what was paid for it.`,
  },
})

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** A sum of weights, each from 0 to 1. */
const Weight = v.pipe(v.number(), v.minValue(0))

const ReputationEvidence = v.strictObject({
  reliability: v.strictObject({ hirers: Count, payersWeight: Weight, satisfiedWeight: Weight }),
  skill: v.strictObject({
    selfAttested: Count,
    documentSubmitted: Count,
    thirdPartyVerified: Count,
    onChainProven: Count,
  }),
  tenure: v.strictObject({ since: v.optional(Timestamp) }),
  social: v.strictObject({ counterparties: Count, paidWeight: Weight }),
  infrastructure: v.strictObject({ layers: Count, paidWeight: Weight }),
})

describe(ReputationEvidence, {
  name: 'ReputationEvidence',
  description: 'The facts behind each part.',
  fields: {
    reliability:
      'Other wallets whose hire of one of its agents ran its first term; the weight of those that paid, and of the payers whose latest rating is not 1 or 2. A payer’s weight is at most 1 (GET /reputation/rules).',
    skill: 'Attestations of each level that have not expired.',
    tenure: 'Its first login; absent if it never logged in.',
    social:
      'Wallets that hired it or that it hired, if the first term ran to its end, and pioneers that it referred; the weights of payments in either direction.',
    infrastructure:
      'The layers from 6 to 11 that its active agents declare; the weight of payments for them, at most 1 per layer.',
  },
})

const NextTier = v.strictObject({
  tier: v.picklist(reputationTiers),
  score: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)),
  missingScore: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)),
  needsVerifiedAttestation: v.boolean(),
  payers: v.optional(Count),
})

describe(NextTier, {
  name: 'NextTier',
  description: 'What is missing for the next tier.',
  fields: {
    tier: 'The next tier.',
    score: 'The lowest score of this tier.',
    missingScore: 'The points that are missing.',
    needsVerifiedAttestation: 'Whether an attestation verified by a third party or on chain is missing.',
    payers:
      'How many more satisfied wallets with full weight would add the missing points; absent above a hundred.',
  },
})

export const Reputation = v.strictObject({
  userId: OwnText,
  score: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)),
  tier: v.picklist(reputationTiers),
  breakdown: ReputationBreakdown,
  evidence: ReputationEvidence,
  attestations: v.array(Attestation),
  nextTier: v.optional(NextTier),
})

describe(Reputation, {
  name: 'Reputation',
  description: 'A wallet’s reputation.',
  fields: {
    userId: 'The wallet.',
    score: '0 to 1000.',
    tier: 'Basic from 100, Verified 250, Trusted 450, Power 650, Elite 850. Verified and above require a verified attestation.',
    breakdown: 'The parts of the score.',
    evidence: 'The facts behind each part.',
    attestations: 'The strongest and newest first, up to 200.',
    nextTier: 'What is missing for the next tier; absent in the highest.',
  },
  example: {
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
})

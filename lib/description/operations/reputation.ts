import {
  Attestation,
  AttestationRequest,
  DecisionRequest,
  NextTier,
  OracleQueue,
  Reputation,
  ReputationBreakdown,
  Verification,
  VerificationRequest,
  VerificationStatus,
} from '../../../schema/wire/reputation.ts'
import { ATTESTATION_ID, OTHER_WALLET, WALLET } from '../examples.ts'
import type { Components, Operations } from '../types.ts'

const tag = 'Reputation' as const

const attestation = {
  id: ATTESTATION_ID,
  credentialType: 'certification',
  verificationLevel: 'third_party_verified',
  pointsAwarded: 50,
  createdAt: '2026-11-20T09:00:00.000Z',
  expiresAt: '2028-01-01T00:00:00.000Z',
}

const verified = {
  attestationId: ATTESTATION_ID,
  status: 'verified',
  verifiedAt: '2026-11-21T10:00:00.000Z',
  verifiedBy: OTHER_WALLET,
}

export const operations: Operations = {
  'GET /reputation': {
    id: 'getReputation',
    tag,
    summary: 'A wallet’s reputation',
    description:
      'Computed from facts at this moment: hires of its agents that ran their term, live attestations, time since its first login, wallets it dealt with or brought as pioneers, infrastructure it serves. A wallet that nobody knows has a score of 0.',
    parameters: { user_id: { description: 'The wallet.', example: WALLET } },
    responses: {
      200: {
        description: 'Its standing.',
        schema: 'Reputation',
        example: {
          userId: WALLET,
          score: 187.31,
          tier: 'Basic',
          breakdown: { reliability: 41.34, skill: 50, tenure: 57.34, social: 38.63, infrastructure: 0 },
          attestations: [attestation],
          nextTier: { tier: 'Verified', score: 250, missingScore: 62.69, needsVerifiedAttestation: false },
        },
      },
    },
    errors: ['dependency_unavailable'],
  },
  'POST /reputation/attest/skill': {
    id: 'attestSkill',
    tag,
    summary: 'Record a credential',
    description:
      'Self-attested, or document-submitted when it has a documentUrl. The same credential again gives the stored record; with other details it is refused.',
    request: {
      credentialType: 'certification',
      credentialId: 'AWS-SAA-12345',
      issuingAuthority: 'Amazon Web Services',
      issuedDate: '2025-01-01',
      expiryDate: '2027-12-31',
      documentUrl: 'https://certs.example.com/AWS-SAA-12345.pdf',
    },
    responses: {
      201: {
        description: 'The attestation.',
        schema: 'Attestation',
        example: { ...attestation, verificationLevel: 'document_submitted', pointsAwarded: 15 },
      },
    },
    errors: ['invalid_credential', 'credential_differs', 'dependency_unavailable'],
  },
  'GET /reputation/verify': {
    id: 'getVerification',
    tag,
    summary: 'How far a verification is',
    description: 'An attestation that was never submitted reads as pending.',
    parameters: { attestation_id: { description: 'The attestation.', example: ATTESTATION_ID } },
    responses: { 200: { description: 'Its status.', schema: 'VerificationStatus', example: verified } },
    errors: ['attestation_not_found', 'dependency_unavailable'],
  },
  'POST /reputation/verify': {
    id: 'requestVerification',
    tag,
    summary: 'Submit for verification',
    description:
      'Puts one’s own attestation in line; expedited ones are taken first. If its credentialId is the address of an account of the Solana Attestation Service by a trusted issuer about this wallet, it is verified at once; otherwise an oracle decides. Asking again changes nothing, except after a rejection.',
    request: { attestation_id: ATTESTATION_ID, priority: 'normal' },
    responses: {
      200: {
        description: 'Its place in line.',
        schema: 'Verification',
        example: {
          attestationId: ATTESTATION_ID,
          status: 'pending',
          priority: 'normal',
          requestedAt: '2026-11-20T09:00:00.000Z',
        },
      },
    },
    errors: ['attestation_not_yours', 'attestation_not_found', 'dependency_unavailable'],
  },
  'GET /reputation/oracle/queue': {
    id: 'getOracleQueue',
    tag,
    summary: 'What waits for an oracle',
    description: 'Expedited ones first, then the oldest.',
    parameters: {
      limit: { description: 'At most this many; above 100 is served as 100.', example: 50 },
      cursor: { description: 'The `nextCursor` of the page before.' },
    },
    responses: {
      200: {
        description: 'One page.',
        schema: 'OracleQueue',
        example: {
          attestations: [
            {
              id: ATTESTATION_ID,
              wallet: WALLET,
              credentialType: 'certification',
              credentialId: 'AWS-SAA-12345',
              documentUrl: 'https://certs.example.com/AWS-SAA-12345.pdf',
              priority: 'normal',
              requestedAt: '2026-11-20T09:00:00.000Z',
            },
          ],
          count: 1,
        },
        headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
      },
    },
    errors: ['dependency_unavailable'],
  },
  'POST /reputation/oracle/decisions': {
    id: 'decideAttestation',
    tag,
    summary: 'Decide an attestation',
    description: 'Final, and the only one: of parallel decisions one wins. Not for one’s own attestations.',
    request: { attestationId: ATTESTATION_ID, decision: 'verified' },
    responses: { 200: { description: 'The decision.', schema: 'VerificationStatus', example: verified } },
    errors: ['own_attestation', 'attestation_not_found', 'not_in_review', 'dependency_unavailable'],
  },
}

const part = 'From 0 to 200:'

export const components: Components = {
  ReputationBreakdown: {
    schema: ReputationBreakdown,
    description: 'The five parts that add up to the score.',
    fields: {
      reliability: `${part} how surely hires of its agents by others run their term (Wilson lower bound).`,
      skill: `${part} points of live attestations; those that nobody verified count for 40 at most.`,
      tenure: `${part} time since the first login, full after a year.`,
      social: `${part} distinct wallets it dealt with or brought as pioneers.`,
      infrastructure: `${part} 40 for each layer of 6 to 11 that its active agents serve.`,
    },
  },
  NextTier: {
    schema: NextTier,
    description: 'What is missing to the next tier.',
    fields: {
      tier: 'The next tier.',
      score: 'Its lowest score.',
      missingScore: 'How much of it is missing.',
      needsVerifiedAttestation: 'Whether an attestation verified by a third party or on chain is missing.',
    },
  },
  Reputation: {
    schema: Reputation,
    description: 'A wallet’s standing.',
    fields: {
      userId: 'The wallet.',
      score: '0 to 1000.',
      tier: 'Basic from 100, Verified 250, Trusted 450, Power 650, Elite 850; from Verified on with a verified attestation.',
      breakdown: 'The parts of the score.',
      attestations: 'The strongest and newest first, up to 200.',
      nextTier: 'What is missing to the next tier; absent at the top.',
    },
  },
  Attestation: {
    schema: Attestation,
    description: 'A credential that a wallet says it has.',
    fields: {
      id: 'UUID.',
      credentialType: 'What kind of credential.',
      verificationLevel: 'Who vouches for it.',
      pointsAwarded: 'What its level is worth to the skill part.',
      createdAt: 'When it was recorded.',
      expiresAt: 'From then on it counts nothing.',
    },
  },
  AttestationRequest: {
    schema: AttestationRequest,
    description: 'A credential. Unknown fields are refused.',
    fields: {
      credentialType: 'What kind of credential, up to 64 characters.',
      credentialId: 'Its id with the issuer, or the address of an on-chain attestation.',
      issuingAuthority: 'Who issued it.',
      issuedDate: 'Calendar date.',
      expiryDate: 'Calendar date; it is valid until the end of that day, UTC.',
      documentUrl: 'https link to a supporting document, shown to oracles only.',
    },
  },
  VerificationRequest: {
    schema: VerificationRequest,
    description: 'What to verify.',
    fields: { attestation_id: 'The attestation.', priority: 'Expedited ones are taken first.' },
  },
  Verification: {
    schema: Verification,
    description: 'A verification that was asked for.',
    fields: {
      attestationId: 'The attestation.',
      status: 'How far it is.',
      priority: 'As asked for.',
      requestedAt: 'When it was asked for.',
    },
  },
  VerificationStatus: {
    schema: VerificationStatus,
    description: 'How far a verification is.',
    fields: {
      attestationId: 'The attestation.',
      status: 'pending, in_review (an oracle has it), verified or rejected.',
      verifiedAt: 'When it was verified.',
      verifiedBy: 'The oracle’s wallet, or the on-chain account.',
      reason: 'What the oracle says.',
    },
  },
  DecisionRequest: {
    schema: DecisionRequest,
    description: 'An oracle’s decision.',
    fields: { attestationId: 'The attestation.', decision: 'verified or rejected.', reason: 'Why.' },
  },
  OracleQueue: {
    schema: OracleQueue,
    description: 'One page of the oracles’ queue.',
    fields: {
      attestations: 'Expedited ones first, then the oldest.',
      count: 'Number of them in this page.',
      nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    },
  },
}

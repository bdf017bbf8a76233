import type { Wallet } from '../../schema/wallet.ts'
import type { Wire } from '../../schema/wire/common.ts'
import { Attestation, type Reputation } from '../../schema/wire/reputation.ts'
import { Verification, VerificationStatus } from '../../schema/wire/verification.ts'
import { answer } from '../answer.ts'
import type { AttestationRow } from './queries.ts'
import { POINTS, type ReputationSummary } from './rules.ts'

/** Makes an Attestation. Its details are shown only to its wallet and the oracles. */
export const attestationView = (row: AttestationRow): Wire<typeof Attestation> =>
  answer(Attestation, { ...row, pointsAwarded: POINTS[row.verificationLevel] })

/** Makes a Reputation. */
export const reputationView = (reputation: {
  wallet: Wallet
  summary: ReputationSummary
  attestations: AttestationRow[]
}): Wire<typeof Reputation> => ({
  userId: reputation.wallet,
  score: reputation.summary.score,
  tier: reputation.summary.tier,
  breakdown: reputation.summary.breakdown,
  evidence: evidenceView(reputation.summary.evidence),
  attestations: reputation.attestations.map(attestationView),
  nextTier: nextTierView(reputation.summary.nextTier),
})

const nextTierView = (next: ReputationSummary['nextTier']) =>
  next && {
    tier: next.tier,
    score: next.score,
    missingScore: next.missingScore,
    needsVerifiedAttestation: next.needsVerifiedAttestation,
    payers: next.payers,
  }

const evidenceView = ({ skill, tenure, ...counts }: ReputationSummary['evidence']) => ({
  reliability: {
    hirers: counts.reliability.hirers,
    payersWeight: counts.reliability.payers.weight,
    satisfiedWeight: counts.reliability.payers.satisfied,
  },
  skill: {
    selfAttested: skill.self_attested,
    documentSubmitted: skill.document_submitted,
    thirdPartyVerified: skill.third_party_verified,
    onChainProven: skill.on_chain_proven,
  },
  tenure: { since: tenure.since?.toISOString() },
  social: { counterparties: counts.social.counterparties, paidWeight: counts.social.paid },
  infrastructure: { layers: counts.infrastructure.layers, paidWeight: counts.infrastructure.paid },
})

/** Makes a VerificationStatus. An attestation that was never submitted reads as pending. */
export const verificationStatusView = (row: AttestationRow): Wire<typeof VerificationStatus> =>
  answer(VerificationStatus, {
    attestationId: row.id,
    status: row.status ?? 'pending',
    verifiedAt: row.status === 'verified' ? row.decidedAt : undefined,
    verifiedBy: row.status === 'verified' ? row.decidedBy : undefined,
    reason: row.reason,
  })

/** Makes a Verification. */
export const verificationView = (row: AttestationRow): Wire<typeof Verification> =>
  answer(Verification, { attestationId: row.id, status: row.status ?? 'pending', ...requestOf(row) })

/** Returns the row of an attestation in the oracles' queue. */
export const queuedRow = (row: AttestationRow) => ({ ...row, ...requestOf(row) })

/**
 * Returns the fields of a request. Submitted attestations always have both, which the row's type does not
 * show.
 */
const requestOf = (row: AttestationRow) => ({
  priority: row.priority ?? ('normal' as const),
  requestedAt: row.requestedAt ?? row.createdAt,
})

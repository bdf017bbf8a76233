import type { Wallet } from '../../schema/wallet.ts'
import type { AttestationRow } from './queries.ts'
import { POINTS, type Standing } from './rules.ts'

/** Attestation of the contract. What it is about stays between its wallet and the oracles. */
export const attestationView = (row: AttestationRow) => ({
  id: row.id,
  credentialType: row.credentialType,
  verificationLevel: row.verificationLevel,
  pointsAwarded: POINTS[row.verificationLevel],
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString(),
})

/** Reputation of the contract, with what is missing to the next tier. */
export const reputationView = (reputation: {
  wallet: Wallet
  standing: Standing
  attestations: AttestationRow[]
}) => ({
  userId: reputation.wallet,
  score: reputation.standing.score,
  tier: reputation.standing.tier,
  breakdown: reputation.standing.breakdown,
  attestations: reputation.attestations.map(attestationView),
  nextTier: reputation.standing.nextTier,
})

/** VerificationStatus of the contract. One that was never submitted reads as pending. */
export const verificationStatusView = (row: AttestationRow) => ({
  attestationId: row.id,
  status: row.status ?? 'pending',
  verifiedAt: row.status === 'verified' ? row.decidedAt?.toISOString() : undefined,
  verifiedBy: row.status === 'verified' ? (row.decidedBy ?? undefined) : undefined,
  reason: row.reason ?? undefined,
})

/** A verification that was asked for. */
export const verificationView = (row: AttestationRow) => ({
  attestationId: row.id,
  status: row.status,
  priority: row.priority,
  requestedAt: row.requestedAt?.toISOString(),
})

/** What the oracles see. */
export const oracleQueueView = (page: { attestations: AttestationRow[]; nextCursor?: string }) => ({
  attestations: page.attestations.map((row) => ({
    id: row.id,
    wallet: row.wallet,
    credentialType: row.credentialType,
    credentialId: row.credentialId,
    issuingAuthority: row.issuingAuthority ?? undefined,
    issuedDate: row.issuedDate ?? undefined,
    expiryDate: row.expiryDate ?? undefined,
    documentUrl: row.documentUrl ?? undefined,
    priority: row.priority,
    requestedAt: row.requestedAt?.toISOString(),
  })),
  count: page.attestations.length,
  nextCursor: page.nextCursor,
})

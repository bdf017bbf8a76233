import * as v from 'valibot'
import { isUrl } from '../urls.ts'
import {
  reputationTiers,
  verificationLevels,
  verificationPriorities,
  verificationStatuses,
} from '../values.ts'
import { Name, PageLimit, Text, Timestamp, Uuid, WalletAddress, WireUuid } from './common.ts'

/** A day of the calendar that exists, such as 2028-02-29. */
const CalendarDate = v.pipe(
  v.string(),
  v.isoDate('must be a calendar date, such as 2026-11-20'),
  v.check((text) => {
    const day = new Date(`${text}T00:00:00Z`)
    return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
  }, 'must be a day that exists'),
)

/** Body of POST /reputation/attest/skill. */
export const AttestationRequest = v.strictObject({
  credentialType: Name(1, 64),
  credentialId: Name(1, 128),
  issuingAuthority: v.optional(Name(1, 128)),
  issuedDate: v.optional(CalendarDate),
  expiryDate: v.optional(CalendarDate),
  documentUrl: v.optional(
    v.pipe(
      Text,
      v.check((text) => isUrl(text, ['https:']), 'must be an absolute https URL without credentials'),
    ),
  ),
})

/** Body of POST /reputation/verify. */
export const VerificationRequest = v.strictObject({
  attestation_id: Uuid,
  priority: v.optional(v.picklist(verificationPriorities), 'normal'),
})

/** Body of POST /reputation/oracle/decisions. */
export const DecisionRequest = v.strictObject({
  attestationId: Uuid,
  decision: v.picklist(['verified', 'rejected']),
  reason: v.optional(Name(1, 500)),
})

export const ReputationQuery = v.object({ user_id: WalletAddress })
export const VerificationQuery = v.object({ attestation_id: Uuid })

export const OracleQueueQuery = v.object({
  limit: PageLimit,
  cursor: v.optional(v.string()),
})

const Part = v.pipe(v.number(), v.minValue(0), v.maxValue(200))

export const Attestation = v.strictObject({
  id: WireUuid,
  credentialType: v.string(),
  verificationLevel: v.picklist(verificationLevels),
  pointsAwarded: v.pipe(v.number(), v.integer(), v.minValue(0)),
  createdAt: Timestamp,
  expiresAt: v.optional(Timestamp),
})

export const ReputationBreakdown = v.strictObject({
  reliability: Part,
  skill: Part,
  tenure: Part,
  social: Part,
  infrastructure: Part,
})

export const NextTier = v.strictObject({
  tier: v.picklist(reputationTiers),
  score: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)),
  missingScore: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)),
  needsVerifiedAttestation: v.boolean(),
})

export const Reputation = v.strictObject({
  userId: v.string(),
  score: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)),
  tier: v.picklist(reputationTiers),
  breakdown: ReputationBreakdown,
  attestations: v.array(Attestation),
  nextTier: v.optional(NextTier),
})

export const VerificationStatus = v.strictObject({
  attestationId: WireUuid,
  status: v.picklist(verificationStatuses),
  verifiedAt: v.optional(Timestamp),
  verifiedBy: v.optional(v.string()),
  reason: v.optional(v.string()),
})

export const Verification = v.strictObject({
  attestationId: WireUuid,
  status: v.picklist(verificationStatuses),
  priority: v.picklist(verificationPriorities),
  requestedAt: Timestamp,
})

export const OracleQueue = v.strictObject({
  attestations: v.array(
    v.strictObject({
      id: WireUuid,
      wallet: v.string(),
      credentialType: v.string(),
      credentialId: v.string(),
      issuingAuthority: v.optional(v.string()),
      issuedDate: v.optional(v.string()),
      expiryDate: v.optional(v.string()),
      documentUrl: v.optional(v.string()),
      priority: v.picklist(verificationPriorities),
      requestedAt: Timestamp,
    }),
  ),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})

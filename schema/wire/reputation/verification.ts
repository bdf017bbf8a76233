import * as v from 'valibot'
import { describe, describeParameters } from '../../docs.ts'
import { ATTESTATION_ID, OTHER_WALLET, WALLET } from '../../examples.ts'
import { verificationPriorities, verificationStatuses } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Cursor, PageLimit, Timestamp, Uuid, WalletAddress, WireUuid } from '../common.ts'
import { Name } from '../text.ts'

/** Body of POST /reputation/verify. */
export const VerificationRequest = v.strictObject({
  attestation_id: Uuid,
  priority: v.optional(v.picklist(verificationPriorities), 'normal'),
})

describe(VerificationRequest, {
  name: 'VerificationRequest',
  description: 'What to verify.',
  fields: {
    attestation_id: 'The attestation.',
    priority:
      'Among wallets that paid the same, expedited requests come first. A wallet may have three open; a further one becomes normal.',
  },
  example: { attestation_id: ATTESTATION_ID, priority: 'normal' },
})

/** Body of POST /reputation/oracle/decisions. */
export const DecisionRequest = v.strictObject({
  attestationId: Uuid,
  decision: v.picklist(['verified', 'rejected']),
  reason: v.optional(Name(1, 500)),
})

describe(DecisionRequest, {
  name: 'DecisionRequest',
  description: 'An oracle’s decision.',
  fields: { attestationId: 'The attestation.', decision: 'verified or rejected.', reason: 'The reason.' },
  example: { attestationId: ATTESTATION_ID, decision: 'verified' },
})

export const VerificationQuery = v.object({ attestation_id: Uuid })

describeParameters(
  VerificationQuery,
  { attestation_id: 'The attestation.' },
  { attestation_id: ATTESTATION_ID },
)

export const OracleQueueQuery = v.object({
  limit: PageLimit,
  cursor: v.optional(Cursor),
  wallet: v.optional(WalletAddress),
})

describeParameters(
  OracleQueueQuery,
  {
    limit: 'Page size; values above 100 count as 100.',
    cursor: 'The `nextCursor` of the previous page.',
    wallet: 'Only attestations of this wallet.',
  },
  { limit: '50' },
)

export const VerificationStatus = v.strictObject({
  attestationId: WireUuid,
  status: v.picklist(verificationStatuses),
  verifiedAt: v.optional(Timestamp),
  verifiedBy: v.optional(OwnText),
  reason: v.optional(UserText),
})

describe(VerificationStatus, {
  name: 'VerificationStatus',
  description: 'The state of a verification.',
  fields: {
    attestationId: 'The attestation.',
    status: 'pending, in_review (an oracle has it), verified or rejected.',
    verifiedAt: 'When it was verified.',
    verifiedBy: 'The oracle’s wallet, or the on-chain account.',
    reason: 'The oracle’s reason, or why the account on the chain is not sufficient.',
  },
  example: {
    attestationId: ATTESTATION_ID,
    status: 'verified',
    verifiedAt: '2026-11-21T10:00:00.000Z',
    verifiedBy: OTHER_WALLET,
  },
})

export const Verification = v.strictObject({
  attestationId: WireUuid,
  status: v.picklist(verificationStatuses),
  priority: v.picklist(verificationPriorities),
  requestedAt: Timestamp,
})

describe(Verification, {
  name: 'RequestedVerification',
  description: 'A requested verification.',
  fields: {
    attestationId: 'The attestation.',
    status: 'How far it is.',
    priority: 'The actual priority: normal if the wallet already has three expedited requests open.',
    requestedAt: 'When it was requested.',
  },
  example: {
    attestationId: ATTESTATION_ID,
    status: 'pending',
    priority: 'normal',
    requestedAt: '2026-11-20T09:00:00.000Z',
  },
})

export const OracleQueue = v.strictObject({
  attestations: v.array(
    v.strictObject({
      id: WireUuid,
      wallet: OwnText,
      credentialType: UserText,
      credentialId: UserText,
      issuingAuthority: v.optional(UserText),
      issuedDate: v.optional(OwnText),
      expiryDate: v.optional(OwnText),
      documentUrl: v.optional(UserText),
      reason: v.optional(UserText),
      priority: v.picklist(verificationPriorities),
      requestedAt: Timestamp,
    }),
  ),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})
describe(OracleQueue, {
  name: 'OracleQueue',
  description: 'One page of the oracles’ queue.',
  fields: {
    attestations:
      'Ordered by what the wallet has paid (highest first), then expedited first, then oldest first. `reason` says why the account on the chain could not decide.',
    count: 'Number of attestations on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
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
})

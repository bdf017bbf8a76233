import * as v from 'valibot'
import { ATTESTATION_ID, OTHER_WALLET, WALLET } from '../examples.ts'
import { verificationPriorities, verificationStatuses } from '../values.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body, pageFields, parameters } from './body.ts'
import { Count, Timestamp, Uuid, WalletAddress, WireUuid } from './common.ts'
import { Name } from './text.ts'

/** Body of POST /reputation/verify. */
export const VerificationRequest = body(
  'VerificationRequest',
  'What to verify.',
  {
    attestation_id: [Uuid, 'The attestation.'],
    priority: [
      v.optional(v.picklist(verificationPriorities), 'normal'),
      'Among wallets that paid the same, expedited requests come first. A wallet may have three open; a further one becomes normal.',
    ],
  },
  { attestation_id: ATTESTATION_ID, priority: 'normal' },
)

/** Body of POST /reputation/oracle/decisions. */
export const DecisionRequest = body(
  'DecisionRequest',
  'An oracle’s decision.',
  {
    attestationId: [Uuid, 'The attestation.'],
    decision: [v.picklist(['verified', 'rejected']), 'verified or rejected.'],
    reason: [v.optional(Name(1, 500)), 'The reason.'],
  },
  { attestationId: ATTESTATION_ID, decision: 'verified' },
)

export const VerificationQuery = parameters(
  { attestation_id: [Uuid, 'The attestation.'] },
  { attestation_id: ATTESTATION_ID },
)

export const OracleQueueQuery = parameters(
  { ...pageFields, wallet: [v.optional(WalletAddress), 'Only attestations of this wallet.'] },
  { limit: '50' },
)

export const VerificationStatus = body(
  'VerificationStatus',
  'The state of a verification.',
  {
    attestationId: [WireUuid, 'The attestation.'],
    status: [
      v.picklist(verificationStatuses),
      'pending, in_review (an oracle has it), verified or rejected.',
    ],
    verifiedAt: [v.optional(Timestamp), 'When it was verified.'],
    verifiedBy: [v.optional(OwnText), 'The oracle’s wallet, or the on-chain account.'],
    reason: [v.optional(UserText), 'The oracle’s reason, or why the account on the chain is not sufficient.'],
  },
  {
    attestationId: ATTESTATION_ID,
    status: 'verified',
    verifiedAt: '2026-11-21T10:00:00.000Z',
    verifiedBy: OTHER_WALLET,
  },
)

export const Verification = body(
  'RequestedVerification',
  'A requested verification.',
  {
    attestationId: [WireUuid, 'The attestation.'],
    status: [v.picklist(verificationStatuses), 'How far it is.'],
    priority: [
      v.picklist(verificationPriorities),
      'The actual priority: normal if the wallet already has three expedited requests open.',
    ],
    requestedAt: [Timestamp, 'When it was requested.'],
  },
  {
    attestationId: ATTESTATION_ID,
    status: 'pending',
    priority: 'normal',
    requestedAt: '2026-11-20T09:00:00.000Z',
  },
)

export const OracleQueue = body(
  'OracleQueue',
  'One page of the oracles’ queue.',
  {
    attestations: [
      v.array(
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
      'Ordered by what the wallet has paid (highest first), then expedited first, then oldest first. `reason` says why the account on the chain could not decide.',
    ],
    count: [Count, 'Number of attestations on this page.'],
    nextCursor: [v.optional(OwnText), 'Send it as `cursor` for the next page; absent on the last.'],
  },
  {
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
)

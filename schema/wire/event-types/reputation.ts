import * as v from 'valibot'
import { ATTESTATION_ID, HIRE_ID, OTHER_WALLET, RATING_ID, WALLET } from '../../examples.ts'
import { verificationLevels } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Timestamp, WireUuid } from '../common.ts'
import { aboutAgent, BOTH_SIDES, exampleAgent, row } from './row.ts'

/** A rating after the event. */
const ratingData = () =>
  v.strictObject({
    ratingId: WireUuid,
    hireId: v.optional(WireUuid),
    ...aboutAgent(),
    owner: OwnText,
    hirer: OwnText,
    rating: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
    comment: v.optional(UserText),
    createdAt: Timestamp,
    revisedAt: v.optional(Timestamp),
    answer: v.optional(UserText),
    answeredAt: v.optional(Timestamp),
  })

const attestationDecided = () =>
  v.strictObject({
    attestationId: WireUuid,
    wallet: OwnText,
    credentialType: UserText,
    credentialId: UserText,
    verificationLevel: v.picklist(verificationLevels),
    decidedBy: OwnText,
    reason: v.optional(UserText),
  })

const rating = () => ({
  ratingId: RATING_ID,
  hireId: HIRE_ID,
  ...exampleAgent,
  owner: OTHER_WALLET,
  hirer: WALLET,
  rating: 4,
  comment: 'Did what it said.',
  createdAt: '2026-11-22T10:00:00.000Z',
})

export const ratingEvents = {
  'rating.given': row({
    data: ratingData(),
    words: {
      meaning: 'A payer rated a hire or, without `hireId`, an agent’s requests.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: { timestamp: rating().createdAt, data: rating() },
  }),
  'rating.revised': row({
    data: ratingData(),
    words: {
      meaning: 'A payer revised its rating. This is possible once.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: {
      timestamp: '2026-11-23T10:00:00.000Z',
      data: { ...rating(), rating: 5, revisedAt: '2026-11-23T10:00:00.000Z' },
    },
  }),
  'rating.answered': row({
    data: ratingData(),
    words: {
      meaning: 'The agent’s owner answered a rating. This is possible once.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: {
      timestamp: '2026-11-24T10:00:00.000Z',
      data: { ...rating(), answer: 'Thank you.', answeredAt: '2026-11-24T10:00:00.000Z' },
    },
  }),
}

/** The wallet of the attestation. */
const ITS_WALLET = 'its wallet’s'

export const attestationEvents = {
  'attestation.verified': row({
    data: attestationDecided(),
    words: {
      meaning: 'An oracle, or an account on the chain, verified an attestation.',
      log: ITS_WALLET,
      ofAgent: false,
    },
    example: {
      timestamp: '2026-11-21T10:00:00.000Z',
      data: {
        attestationId: ATTESTATION_ID,
        wallet: WALLET,
        credentialType: 'certification',
        credentialId: 'AWS-SAA-12345',
        verificationLevel: 'third_party_verified',
        decidedBy: OTHER_WALLET,
      },
    },
  }),
  'attestation.rejected': row({
    data: attestationDecided(),
    words: {
      meaning: 'An oracle rejected an attestation, for its `reason`.',
      log: ITS_WALLET,
      ofAgent: false,
    },
    example: {
      timestamp: '2026-11-21T10:00:00.000Z',
      data: {
        attestationId: ATTESTATION_ID,
        wallet: WALLET,
        credentialType: 'certification',
        credentialId: 'AWS-SAA-12345',
        verificationLevel: 'document_submitted',
        decidedBy: OTHER_WALLET,
        reason: 'The document is unreadable',
      },
    },
  }),
  'attestation.revoked': row({
    data: attestationDecided(),
    words: {
      meaning:
        'The account on the chain that proved an attestation was closed, expired or no longer proves it. The attestation is rejected, has its former level, and may be submitted again. `decidedBy` is the account.',
      log: ITS_WALLET,
      ofAgent: false,
    },
    example: {
      timestamp: '2026-11-22T10:00:00.000Z',
      data: {
        attestationId: ATTESTATION_ID,
        wallet: WALLET,
        credentialType: 'certification',
        credentialId: 'BvzKvn6nUUAYtKu2pH3h5SbUkUNcRPQawg4bURBiojJx',
        verificationLevel: 'self_attested',
        decidedBy: 'BvzKvn6nUUAYtKu2pH3h5SbUkUNcRPQawg4bURBiojJx',
        reason: 'The account on the chain no longer proves it',
      },
    },
  }),
}

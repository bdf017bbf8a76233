import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { withSession } from '../../lib/http/session.ts'
import { attest } from '../../lib/reputation/attestations/attest.ts'
import { decideAttestation, oracleQueue } from '../../lib/reputation/attestations/oracle.ts'
import { submitForVerification, verificationOf } from '../../lib/reputation/attestations/verify.ts'
import { readReputation } from '../../lib/reputation/read.ts'
import { MAX_OPEN_EXPEDITED } from '../../lib/reputation/rules.ts'
import { rulesView } from '../../lib/reputation/rules-view.ts'
import {
  attestationView,
  queuedRow,
  reputationView,
  verificationStatusView,
  verificationView,
} from '../../lib/reputation/views.ts'
import { figure } from '../../schema/figures.ts'
import { ATTESTATIONS_PER_DAY } from '../../schema/values.ts'
import {
  Attestation,
  AttestationRequest,
  attestationExample,
  Reputation,
  ReputationQuery,
  ReputationRules,
} from '../../schema/wire/reputation.ts'
import {
  DecisionRequest,
  OracleQueue,
  OracleQueueQuery,
  Verification,
  VerificationQuery,
  VerificationRequest,
  VerificationStatus,
} from '../../schema/wire/verification.ts'
import type { Deps } from './deps.ts'
import { ratingRoutes } from './rating-routes.ts'

const operation = operationFor<Cloudflare.ReputationEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/reputation',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: ReputationQuery,
    docs: {
      id: 'getReputation',
      summary: 'Read a wallet’s reputation',
      description:
        'Computed from the current facts: payments to its agents and whether the payers are satisfied, wallets whose hire of its agents ran its first term, valid attestations, time since its first login, hirers, owners of hired agents and referred pioneers, and infrastructure that its agents declare. Facts that cost nothing count little. An unknown wallet has a score of 0.',
      answers: {
        200: {
          description: 'The reputation.',
          schema: Reputation,
          links: {
            requestVerification: { attestation_id: '#/attestations/0/id' },
            getVerification: { attestation_id: '#/attestations/0/id' },
          },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, query }) => json(reputationView(await readReputation(deps, query.user_id))),
  }),
  operation({
    method: 'POST',
    path: '/reputation/attest/skill',
    access: withSession('reputation:attest'),
    limit: 'WALLET_LIMIT',
    body: AttestationRequest,
    docs: {
      id: 'attestSkill',
      summary: 'Record a credential',
      description: `Its level is self-attested, or document-submitted with a documentUrl. Repeating the request returns the stored record; the same credential with other details is rejected. A wallet may record ${figure(ATTESTATIONS_PER_DAY)} each UTC day, a client address 300 an hour; protocol fees that the wallet has paid raise the hourly limit.`,
      answers: {
        201: {
          description: 'The attestation.',
          schema: Attestation,
          links: {
            requestVerification: { attestation_id: '#/id' },
            getVerification: { attestation_id: '#/id' },
          },
          example: { ...attestationExample, verificationLevel: 'document_submitted', pointsAwarded: 15 },
        },
      },
      errors: ['invalid_credential', 'credential_differs', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, body, headers }) =>
      json(attestationView(await attest(deps, session.wallet, body, clientAddress(headers))), 201),
  }),
  operation({
    method: 'GET',
    path: '/reputation/verify',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: VerificationQuery,
    docs: {
      id: 'getVerification',
      summary: 'Read an attestation’s verification status',
      description: 'An attestation that was never submitted is `pending`.',
      answers: { 200: { description: 'Its status.', schema: VerificationStatus } },
      errors: ['attestation_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, query }) =>
      json(verificationStatusView(await verificationOf(deps, query.attestation_id))),
  }),
  operation({
    method: 'POST',
    path: '/reputation/verify',
    access: withSession('reputation:verify'),
    limit: 'WALLET_LIMIT',
    body: VerificationRequest,
    docs: {
      id: 'requestVerification',
      summary: 'Submit for verification',
      description: [
        'Queues your attestation for an oracle. The queue is ordered by what the wallet has paid for agents, then expedited first.',
        `A wallet may have ${figure(MAX_OPEN_EXPEDITED)} expedited requests open, and a client address may send ten a day; a further one becomes normal (see \`priority\`).`,
        'If credentialId is a Solana Attestation Service account about this wallet, by a trusted issuer and with the schema for its credentialType, the attestation is verified at once. It stays verified for as long as the account proves it. An account proves one attestation. Repeating the request only updates the place in the queue, except after a rejection.',
      ].join(' '),
      answers: {
        200: {
          description: 'The verification request.',
          schema: Verification,
          links: { getVerification: { attestation_id: '#/attestationId' } },
        },
      },
      errors: ['attestation_not_yours', 'attestation_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, body, headers }) =>
      json(verificationView(await submitForVerification(deps, session.wallet, body, clientAddress(headers)))),
  }),
  operation({
    method: 'GET',
    path: '/reputation/oracle/queue',
    access: withSession('oracle:decide'),
    limit: 'WALLET_LIMIT',
    query: OracleQueueQuery,
    docs: {
      id: 'getOracleQueue',
      summary: 'List the attestations in review',
      description:
        'Ordered by what the wallet has paid for agents (highest first), then expedited first, then oldest first.',
      answers: {
        200: {
          description: 'One page.',
          schema: OracleQueue,
          links: {
            decideAttestation: { attestationId: '#/attestations/0/id' },
          },
          headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, query, url }) => {
      const page = await oracleQueue(deps, query)
      return pageAnswer(OracleQueue, 'attestations', page.attestations.map(queuedRow), { url, ...page })
    },
  }),
  operation({
    method: 'POST',
    path: '/reputation/oracle/decisions',
    access: withSession('oracle:decide'),
    limit: 'WALLET_LIMIT',
    body: DecisionRequest,
    docs: {
      id: 'decideAttestation',
      summary: 'Decide an attestation in review',
      description:
        'A decision is final: of concurrent decisions one is recorded. An oracle cannot decide its own wallet’s attestations.',
      answers: { 200: { description: 'The decision.', schema: VerificationStatus } },
      errors: ['own_attestation', 'attestation_not_found', 'not_in_review', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, body }) =>
      json(verificationStatusView(await decideAttestation(deps, session.wallet, body))),
  }),
  operation({
    method: 'GET',
    path: '/reputation/rules',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getReputationRules',
      summary: 'Read the rules of the score',
      description:
        'What each part of the score requires, and the price of its points in CRED. Payments are weighted by the protocol fee, because a fake payment costs just the fee.',
      answers: { 200: { description: 'The rules.', schema: ReputationRules } },
      errors: [],
    },
    handle: ({ deps }) => json(rulesView(deps.fees)),
  }),
  ...ratingRoutes,
]

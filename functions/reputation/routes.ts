import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { withSession } from '../../lib/http/session.ts'
import { attest } from '../../lib/reputation/attestations/attest.ts'
import { decideAttestation, oracleQueue } from '../../lib/reputation/attestations/oracle.ts'
import { submitForVerification, verificationOf } from '../../lib/reputation/attestations/verify.ts'
import { readReputation } from '../../lib/reputation/read.ts'
import { rulesView } from '../../lib/reputation/rules-view.ts'
import {
  attestationView,
  oracleQueueView,
  reputationView,
  verificationStatusView,
  verificationView,
} from '../../lib/reputation/views.ts'
import { Attestation, attestationExample, Reputation } from '../../schema/wire/reputation/answers.ts'
import { AttestationRequest, ReputationQuery } from '../../schema/wire/reputation/requests.ts'
import { ReputationRules } from '../../schema/wire/reputation/rules-answer.ts'
import {
  DecisionRequest,
  OracleQueue,
  OracleQueueQuery,
  Verification,
  VerificationQuery,
  VerificationRequest,
  VerificationStatus,
} from '../../schema/wire/reputation/verification.ts'
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
    docs: WORDS && {
      id: 'getReputation',
      summary: 'Read a wallet’s reputation',
      description:
        'Computed from facts at this moment: what wallets paid its agents and whether they are satisfied, wallets whose hire of its agents ran its first term, live attestations, time since its first login, wallets it dealt with or brought as pioneers, infrastructure its agents declare. What costs nothing counts for little. A wallet that nobody knows has a score of 0.',
      answers: {
        200: {
          description: 'Its standing.',
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
    docs: WORDS && {
      id: 'attestSkill',
      summary: 'Record a credential',
      description:
        'Self-attested, or document-submitted when it has a documentUrl. The same credential again gives the stored record; with other details it is refused. A wallet records 100 each UTC day; a client address 300 an hour, and beyond that as many as the wallet’s protocol fees have bought.',
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
    docs: WORDS && {
      id: 'getVerification',
      summary: 'Read an attestation’s verification status',
      description: 'An attestation that was never submitted reads as pending.',
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
    docs: WORDS && {
      id: 'requestVerification',
      summary: 'Submit for verification',
      description:
        'Puts one’s own attestation in line; by what its wallet has paid for agents, then expedited ones first, of which a wallet may have three open and a client address ask for ten a day: a further one is taken as normal, and `priority` says so. If its credentialId is the address of an account of the Solana Attestation Service about this wallet, by a trusted issuer and of the schema for its credentialType, it is verified at once, as long as the account proves it; otherwise an oracle decides. An account proves one attestation. Asking again changes nothing but the place in line, if the wallet has paid since; except after a rejection.',
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
    docs: WORDS && {
      id: 'getOracleQueue',
      summary: 'List the attestations in review',
      description:
        'Attestations of the wallets that have paid most for agents first; of equal ones the expedited, then the oldest.',
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
      return json(oracleQueueView(page), 200, nextPageLink(url, page.nextCursor))
    },
  }),
  operation({
    method: 'POST',
    path: '/reputation/oracle/decisions',
    access: withSession('oracle:decide'),
    limit: 'WALLET_LIMIT',
    body: DecisionRequest,
    docs: WORDS && {
      id: 'decideAttestation',
      summary: 'Decide an attestation in review',
      description:
        'A decision is final: of parallel decisions one is recorded. An oracle can not decide its own wallet’s attestations.',
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
    docs: WORDS && {
      id: 'getReputationRules',
      summary: 'Read the rules of the score',
      description:
        'What each part of a score takes, and the price of its points in CRED. Payments weigh by the protocol fee, which is what a forged one costs.',
      answers: { 200: { description: 'The rules.', schema: ReputationRules } },
      errors: [],
    },
    handle: ({ deps }) => json(rulesView(deps.fees)),
  }),
  ...ratingRoutes,
]

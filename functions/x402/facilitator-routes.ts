import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { rateLimits } from '../../lib/http/rate-limit.ts'
import { settlePayment, WAIT_MS } from '../../lib/x402/facilitator/settle.ts'
import { verifyPayment } from '../../lib/x402/facilitator/verify.ts'
import { settleView, supportedView, verifyView } from '../../lib/x402/facilitator/views.ts'
import { feePayerFor } from '../../lib/x402/keys/fee-payers.ts'
import { listingHeaders } from '../../lib/x402/resources/extension-responses.ts'
import { figure, span } from '../../schema/figures.ts'
import {
  FacilitatorPath,
  FacilitatorRequest,
  SettleAnswer,
  Supported,
  VerifyAnswer,
} from '../../schema/wire/x402.ts'
import { type KeyDeps, withKey } from './key-access.ts'

const operation = operationFor<Cloudflare.X402Env, KeyDeps>()

type Body = { paymentPayload: unknown; paymentRequirements: Record<string, unknown> }

/** The use cases' deps, with the fee payer that the requirements name. */
const depsFor = async (deps: KeyDeps, { paymentRequirements }: Body) => ({
  ...deps,
  feePayer: feePayerFor(await deps.feePayers(), paymentRequirements),
})

const callOf = ({ key }: KeyDeps, { paymentPayload, paymentRequirements }: Body) => ({
  key,
  paymentPayload,
  paymentRequirements,
})

const LISTING = {
  'EXTENSION-RESPONSES':
    'Base64 of `{bazaar: {status, code, rejectedReason}}`, if the payment is good and has the extension `bazaar`: `success` (the route is in the catalog), `processing` (it is checked within minutes), or `rejected`.',
}

/** The operations below a facilitator's URL: section 7 of the specification of x402 version 2. */
export const facilitatorRoutes = [
  operation({
    method: 'GET',
    path: '/x402/k/{key}/supported',
    access: withKey,
    limit: 'FACILITATOR_LIMIT',
    params: FacilitatorPath,
    docs: {
      id: 'getX402Supported',
      summary: 'Read what the facilitator supports',
      description:
        'Standard x402 software calls this first. It does not say whether the key is still the newest.',
      answers: { 200: { description: 'The supported payments.', schema: Supported } },
      errors: ['facilitator_key_unknown'],
    },
    handle: async ({ deps }) => json(supportedView(await deps.feePayers(), deps.settings.network)),
  }),
  operation({
    method: 'POST',
    path: '/x402/k/{key}/verify',
    access: withKey,
    limit: 'FACILITATOR_LIMIT',
    params: FacilitatorPath,
    body: FacilitatorRequest,
    docs: {
      id: 'verifyX402Payment',
      summary: 'Check a payment for a request',
      description: `Checks whether the payment would be settled now. An invalid payment is a 200, too. The limit is ${figure(rateLimits.FACILITATOR_LIMIT)} calls a minute for each key of an agent, and ${figure(rateLimits.WALLET_LIMIT)} for each payment.`,
      answers: {
        200: { description: 'The result of the check.', schema: VerifyAnswer, headers: LISTING },
      },
      errors: ['facilitator_key_unknown', 'dependency_unavailable'],
    },
    handle: async ({ deps, body }) => {
      const answer = await verifyPayment(await depsFor(deps, body), callOf(deps, body))
      return json(verifyView(answer), 200, listingHeaders(answer.listing))
    },
  }),
  operation({
    method: 'POST',
    path: '/x402/k/{key}/settle',
    access: withKey,
    limit: 'FACILITATOR_LIMIT',
    params: FacilitatorPath,
    body: FacilitatorRequest,
    docs: {
      id: 'settleX402Payment',
      summary: 'Settle a payment for a request',
      description: [
        `Records the payment, signs and sends it, and waits up to ${span(WAIT_MS, 'second')} until it has landed.`,
        'A failure is a 200, too. Only one call for each payment ever gets `success`.',
      ].join(' '),
      answers: { 200: { description: 'The outcome.', schema: SettleAnswer, headers: LISTING } },
      errors: ['facilitator_key_unknown', 'dependency_unavailable'],
    },
    handle: async ({ deps, body }) => {
      const answer = await settlePayment(await depsFor(deps, body), callOf(deps, body))
      return json(settleView(answer), 200, listingHeaders(answer.listing))
    },
  }),
]

import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { AGENT_ID, FACILITATOR_KEY, FEE_PAYER, NETWORK, SIGNATURE, WALLET } from '../../examples.ts'
import { OwnText } from '../answer-text.ts'
import { WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

export const FacilitatorKey = v.strictObject({
  agentId: WireUuid,
  generation: v.pipe(v.number(), v.integer()),
  key: OwnText,
  url: OwnText,
})

describe(FacilitatorKey, {
  name: 'FacilitatorKey',
  description: 'An agent’s key, which spends its owner’s credit: keep it secret. It is shown once.',
  fields: {
    agentId: 'The agent.',
    generation: 'Version number of the agent’s key. Only the newest is valid.',
    key: 'The key.',
    url: 'The facilitator URL for standard x402 software.',
  },
  example: {
    agentId: AGENT_ID,
    generation: 28_339_200,
    key: FACILITATOR_KEY,
    url: `https://api.agentcred.example/v1/x402/k/${FACILITATOR_KEY}`,
  },
})

export const Supported = v.strictObject({
  kinds: v.array(
    v.strictObject({
      x402Version: v.pipe(v.number(), v.integer()),
      scheme: OwnText,
      network: OwnText,
      extra: v.strictObject({ feePayer: OwnText }),
    }),
  ),
  extensions: v.array(OwnText),
  signers: v.record(v.string(), v.array(OwnText)),
})

describe(Supported, {
  name: 'X402Supported',
  description: 'What the facilitator supports, as in section 7 of the specification.',
  fields: {
    kinds: 'Version, scheme and network, and the payer of the network’s fee.',
    extensions:
      'bazaar: priced routes are listed, and found below this URL. payment-identifier: of several payments of a payer with one id, only the first is settled; the others get `payment_identifier_used`.',
    signers: 'The facilitator’s signing keys, by network family.',
  },
  example: {
    kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK, extra: { feePayer: FEE_PAYER } }],
    extensions: ['bazaar', 'payment-identifier'],
    signers: { 'solana:*': [FEE_PAYER] },
  },
})

export const VerifyAnswer = v.strictObject({
  isValid: v.boolean(),
  invalidReason: v.optional(OwnText),
  invalidMessage: v.optional(OwnText),
  payer: v.optional(OwnText),
})

describe(VerifyAnswer, {
  name: 'X402VerifyAnswer',
  description: 'Whether a payment would be settled now. Nothing is reserved.',
  fields: {
    isValid: 'Whether the payment is valid.',
    invalidReason: 'Why not: a reason of the specification or of this service.',
    invalidMessage: 'The same as a sentence.',
    payer: 'The payer.',
  },
  example: { isValid: true, payer: WALLET },
})

export const SettleAnswer = v.strictObject({
  success: v.boolean(),
  errorReason: v.optional(OwnText),
  errorMessage: v.optional(OwnText),
  payer: v.optional(OwnText),
  transaction: OwnText,
  network: OwnText,
})

describe(SettleAnswer, {
  name: 'X402SettleAnswer',
  description: 'The outcome of a payment. Each payment gets one `success`, ever.',
  fields: {
    success: 'Whether the payment has landed and this call is the first to learn it.',
    errorReason:
      'Why not: a reason of the specification or of this service. `settlement_pending`: repeat the request. `payment_identifier_used`: `transaction` is the payment that has this id.',
    errorMessage: 'The same as a sentence.',
    payer: 'The payer.',
    transaction: 'Its signature on the network; empty if nothing was sent.',
    network: 'The network’s CAIP-2 id.',
  },
  example: { success: true, payer: WALLET, transaction: SIGNATURE, network: NETWORK },
})

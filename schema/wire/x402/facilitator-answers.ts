import * as v from 'valibot'
import { AGENT_ID, FACILITATOR_KEY, FEE_PAYER, NETWORK, SIGNATURE, WALLET } from '../../examples.ts'
import { OwnText } from '../answer-text.ts'
import { body } from '../body.ts'
import { WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
export const FacilitatorKey = body(
  'FacilitatorKey',
  'An agent’s key, which spends its owner’s credit: keep it secret. It is shown once.',
  {
    agentId: [WireUuid, 'The agent.'],
    generation: [
      v.pipe(v.number(), v.integer()),
      'Version number of the agent’s key. Only the newest is valid.',
    ],
    key: [OwnText, 'The key.'],
    url: [OwnText, 'The facilitator URL for standard x402 software.'],
  },
  {
    agentId: AGENT_ID,
    generation: 28_339_200,
    key: FACILITATOR_KEY,
    url: `https://api.agentcred.example/v1/x402/k/${FACILITATOR_KEY}`,
  },
)

export const Supported = body(
  'X402Supported',
  'What the facilitator supports, as in section 7 of the specification.',
  {
    kinds: [
      v.array(
        v.strictObject({
          x402Version: v.pipe(v.number(), v.integer()),
          scheme: OwnText,
          network: OwnText,
          extra: v.strictObject({ feePayer: OwnText }),
        }),
      ),
      'Version, scheme and network, and the payer of the network’s fee.',
    ],
    extensions: [
      v.array(OwnText),
      'bazaar: priced routes are listed, and found below this URL. payment-identifier: of several payments of a payer with one id, only the first is settled; the others get `payment_identifier_used`.',
    ],
    signers: [v.record(v.string(), v.array(OwnText)), 'The facilitator’s signing keys, by network family.'],
  },
  {
    kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK, extra: { feePayer: FEE_PAYER } }],
    extensions: ['bazaar', 'payment-identifier'],
    signers: { 'solana:*': [FEE_PAYER] },
  },
)

export const VerifyAnswer = body(
  'X402VerifyAnswer',
  'Whether a payment would be settled now. Nothing is reserved.',
  {
    isValid: [v.boolean(), 'Whether the payment is valid.'],
    invalidReason: [v.optional(OwnText), 'Why not: a reason of the specification or of this service.'],
    invalidMessage: [v.optional(OwnText), 'The same as a sentence.'],
    payer: [v.optional(OwnText), 'The payer.'],
  },
  { isValid: true, payer: WALLET },
)

export const SettleAnswer = body(
  'X402SettleAnswer',
  'The outcome of a payment. Each payment gets one `success`, ever.',
  {
    success: [v.boolean(), 'Whether the payment has landed and this call is the first to learn it.'],
    errorReason: [
      v.optional(OwnText),
      'Why not: a reason of the specification or of this service. `settlement_pending`: repeat the request. `payment_identifier_used`: `transaction` is the payment that has this id.',
    ],
    errorMessage: [v.optional(OwnText), 'The same as a sentence.'],
    payer: [v.optional(OwnText), 'The payer.'],
    transaction: [OwnText, 'Its signature on the network; empty if nothing was sent.'],
    network: [OwnText, 'The network’s CAIP-2 id.'],
  },
  { success: true, payer: WALLET, transaction: SIGNATURE, network: NETWORK },
)

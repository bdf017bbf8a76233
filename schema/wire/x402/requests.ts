import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { AGENT_ID, FACILITATOR_KEY, MINT, WALLET } from '../../examples.ts'
import { MAX_REQUEST_PRICES, requestPaymentRoles } from '../../values.ts'
import { body, pageFields, parameters } from '../body.ts'
import { AmountFrom, Uuid, WalletAddress } from '../common.ts'
import { Name, Opaque } from '../text.ts'

export const X402AgentPath = parameters({ id: [Uuid, 'The agent.'] }, { id: AGENT_ID })

const PriceName = Name(1, 128)

/** Query of GET /x402/agents/{id}. */
export const TermsQuery = parameters({
  name: [v.optional(PriceName), 'Only the price of this name; by default all of them.'],
})

const PriceRequest = body(
  'RequestPriceRequest',
  'The price of one kind of request to an agent. Unknown fields are rejected.',
  {
    name: [
      PriceName,
      'Your own name for it; unique. As a method and a path, such as `GET /forecast/:city`, it is a route at the origin of the agent’s `apiEndpoint`, and payments show its URL.',
    ],
    amount: [AmountFrom(1), 'Smallest units of the asset: lamports of CRED.'],
    asset: [v.optional(WalletAddress), 'The mint. CRED when absent; the service may accept others.'],
  },
  { name: 'GET /forecast', amount: 250_000 },
)

/** Body of PUT /x402/agents/{id}/prices. */
export const PricesRequest = body(
  'RequestPricesRequest',
  'All prices of the agent. Unknown fields are rejected.',
  {
    prices: [
      v.pipe(v.array(PriceRequest), v.maxLength(MAX_REQUEST_PRICES)),
      `Up to ${MAX_REQUEST_PRICES}; an empty list removes all prices.`,
    ],
  },
  { prices: [{ name: 'GET /forecast', amount: 250_000 }] },
)

/** Body of PATCH /x402/agents/{id}/resources. */
export const RouteChange = body(
  'RouteChange',
  'Whether a route is kept out of the catalog. Unknown fields are rejected.',
  { name: [PriceName, 'The name of its price.'], hidden: [v.boolean(), 'true keeps it out of the catalog.'] },
  { name: 'GET /forecast', hidden: false },
)

/** Body of POST /x402/agents/{id}/probes. */
export const RouteCheck = body(
  'RouteCheck',
  'The route to check. Unknown fields are rejected.',
  { name: [PriceName, 'The name of its price.'] },
  { name: 'GET /forecast' },
)

/** Any text is accepted here: an invalid key has its own error code. */
export const FacilitatorPath = parameters(
  { key: [Opaque('^[A-Za-z0-9_-]{70}$'), 'The agent’s key, from POST /x402/agents/{id}/key.'] },
  { key: FACILITATOR_KEY },
)

const Payload = v.looseObject({})
const Requirements = v.looseObject({})

describe(Payload, {
  name: 'X402PaymentPayload',
  description: 'What the client sent in PAYMENT-SIGNATURE, in the format of x402 version 2.',
  fields: {},
  example: { x402Version: 2, payload: { transaction: 'AgAAAA==' } },
})
describe(Requirements, {
  name: 'X402PaymentRequirements',
  description: 'One of the requirements that the client received.',
  fields: {},
  example: { scheme: 'exact', amount: '250000', asset: MINT, payTo: WALLET },
})

/** Body of POST /verify and POST /settle. Other members are allowed, since servers add some. */
export const FacilitatorRequest = v.object({
  x402Version: v.optional(v.number()),
  paymentPayload: Payload,
  paymentRequirements: Requirements,
})

describe(FacilitatorRequest, {
  name: 'X402FacilitatorRequest',
  description: 'A payment and its requirements, as in section 7 of the x402 version 2 specification.',
  fields: {
    x402Version: '2; the version in the payload counts.',
    paymentPayload: 'The payment.',
    paymentRequirements: 'The requirements: a price of the agent.',
  },
  example: {
    x402Version: 2,
    paymentPayload: { x402Version: 2, payload: { transaction: 'AgAAAA==' } },
    paymentRequirements: { scheme: 'exact', amount: '250000', asset: MINT, payTo: WALLET },
  },
})

/** Query of GET /x402/payments. */
export const RequestPaymentListQuery = parameters(
  {
    role: [v.picklist(requestPaymentRoles), 'Your side: `owner` of the paid agents, or `payer`.'],
    ...pageFields,
  },
  { role: 'owner', limit: '50' },
)

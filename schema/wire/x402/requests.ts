import * as v from 'valibot'
import { describe, describeParameters } from '../../docs.ts'
import { AGENT_ID, FACILITATOR_KEY, MINT, WALLET } from '../../examples.ts'
import { MAX_REQUEST_PRICES, requestPaymentRoles } from '../../values.ts'
import { AmountFrom, Cursor, PageLimit, Uuid, WalletAddress } from '../common.ts'
import { Name, Opaque } from '../text.ts'

export const X402AgentPath = v.object({ id: Uuid })

describeParameters(X402AgentPath, { id: 'The agent.' }, { id: AGENT_ID })

const PriceName = Name(1, 128)

/** Query of GET /x402/agents/{id}. */
export const TermsQuery = v.object({ name: v.optional(PriceName) })

describeParameters(TermsQuery, { name: 'Only the price of this name; by default all of them.' }, {})

const PriceRequest = v.strictObject({
  name: PriceName,
  amount: AmountFrom(1),
  asset: v.optional(WalletAddress),
})

describe(PriceRequest, {
  name: 'RequestPriceRequest',
  description: 'The price of one kind of request to an agent. Unknown fields are rejected.',
  fields: {
    name: 'Your own name for it; unique. As a method and a path, such as `GET /forecast/:city`, it is a route at the origin of the agent’s `apiEndpoint`, and payments show its URL.',
    amount: 'Smallest units of the asset: lamports of CRED.',
    asset: 'The mint. CRED when absent; the service may accept others.',
  },
  example: { name: 'GET /forecast', amount: 250_000 },
})

/** Body of PUT /x402/agents/{id}/prices. */
export const PricesRequest = v.strictObject({
  prices: v.pipe(v.array(PriceRequest), v.maxLength(MAX_REQUEST_PRICES)),
})

describe(PricesRequest, {
  name: 'RequestPricesRequest',
  description: 'All prices of the agent. Unknown fields are rejected.',
  fields: { prices: `Up to ${MAX_REQUEST_PRICES}; an empty list removes all prices.` },
  example: { prices: [{ name: 'GET /forecast', amount: 250_000 }] },
})

/** Body of PATCH /x402/agents/{id}/resources. */
export const RouteChange = v.strictObject({ name: PriceName, hidden: v.boolean() })

describe(RouteChange, {
  name: 'RouteChange',
  description: 'Whether a route is kept out of the catalog. Unknown fields are rejected.',
  fields: { name: 'The name of its price.', hidden: 'true keeps it out of the catalog.' },
  example: { name: 'GET /forecast', hidden: false },
})

/** Body of POST /x402/agents/{id}/probes. */
export const RouteCheck = v.strictObject({ name: PriceName })

describe(RouteCheck, {
  name: 'RouteCheck',
  description: 'The route to check. Unknown fields are rejected.',
  fields: { name: 'The name of its price.' },
  example: { name: 'GET /forecast' },
})

/** Any text is accepted here: an invalid key has its own error code. */
export const FacilitatorPath = v.object({ key: Opaque('^[A-Za-z0-9_-]{70}$') })

describeParameters(
  FacilitatorPath,
  { key: 'The agent’s key, from POST /x402/agents/{id}/key.' },
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
export const RequestPaymentListQuery = v.object({
  role: v.picklist(requestPaymentRoles),
  limit: PageLimit,
  cursor: v.optional(Cursor),
})

describeParameters(
  RequestPaymentListQuery,
  {
    role: 'Your side: `owner` of the paid agents, or `payer`.',
    limit: 'Page size; values above 100 count as 100.',
    cursor: 'The `nextCursor` of the previous page.',
  },
  { role: 'owner', limit: '50' },
)

import * as v from 'valibot'
import { describe, exampleOf } from '../docs.ts'
import {
  AGENT_ID,
  BUDGET_ACCOUNT,
  FACILITATOR_KEY,
  FEE_PAYER,
  MINT,
  NETWORK,
  OTHER_WALLET,
  REQUEST_PAYMENT_ID,
  SIGNATURE,
  WALLET,
} from '../examples.ts'
import {
  listedRouteStates,
  MAX_REQUEST_PRICES,
  requestPaymentRoles,
  requestPaymentStatuses,
  requestRefusalReasons,
  requestRefusals,
  requestResourceCodes,
  sellingNeeds,
} from '../values.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body, pageFields, pageOf, parameters } from './body.ts'
import { AmountFrom, Timestamp, Uuid, WalletAddress, WireAmount, WireUuid } from './common.ts'
import { Name, Opaque } from './text.ts'
import { timeFilter } from './time-filter.ts'

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
    since: [timeFilter.schemas.since, timeFilter.meanings.since],
    until: [timeFilter.schemas.until, timeFilter.meanings.until],
    ...pageFields,
  },
  { role: 'owner', limit: '50' },
)

const price = { name: 'GET /forecast', amount: 250_000, asset: MINT }

const RequestPrice = body(
  'RequestPrice',
  'The price of one kind of request to an agent.',
  {
    name: [
      UserText,
      'The owner’s name for it. A method and a path make it a route at the origin of the agent’s `apiEndpoint`.',
    ],
    amount: [WireAmount, 'Smallest units of the asset.'],
    asset: [OwnText, 'The mint.'],
  },
  price,
)

export const RequestPrices = body(
  'RequestPrices',
  'The prices of requests to an agent.',
  { agentId: [WireUuid, 'The agent.'], prices: [v.array(RequestPrice), 'Ordered by name.'] },
  { agentId: AGENT_ID, prices: [price] },
)

const Accepts = body(
  'X402Accepts',
  'One way to pay, in the format of x402 version 2.',
  {
    scheme: [v.literal('exact'), 'The scheme.'],
    network: [OwnText, 'The network’s CAIP-2 id.'],
    payTo: [OwnText, 'Who is paid: the agent’s owner.'],
    price: [
      v.strictObject({
        amount: OwnText,
        asset: OwnText,
        extra: v.strictObject({ agentId: WireUuid, priceName: UserText }),
      }),
      'The price, its agent and its name. The amount is decimal text.',
    ],
    maxTimeoutSeconds: [
      v.pipe(v.number(), v.integer()),
      'How long the server waits for the client’s signature.',
    ],
    extra: [
      v.strictObject({ paymentFlow: v.literal('upfront') }),
      'Tells servers to settle before they serve the request.',
    ],
  },
  {
    scheme: 'exact',
    network: NETWORK,
    payTo: OTHER_WALLET,
    price: { amount: '250000', asset: MINT, extra: { agentId: AGENT_ID, priceName: 'GET /forecast' } },
    maxTimeoutSeconds: 60,
    extra: { paymentFlow: 'upfront' },
  },
)

const accepts = exampleOf(Accepts)

const MissingAccount = body(
  'MissingTokenAccount',
  'An associated token account of the owner that is missing, frozen or owned by somebody else.',
  { asset: [OwnText, 'Its mint.'], address: [OwnText, 'Its address.'] },
  { asset: MINT, address: BUDGET_ACCOUNT },
)

export const RequestTerms = body(
  'RequestTerms',
  'The prices of requests to an agent, and how to pay.',
  {
    agentId: [WireUuid, 'The agent.'],
    network: [OwnText, 'The network’s CAIP-2 id.'],
    feePayer: [OwnText, 'The payer of the network’s fee: the service.'],
    ready: [
      v.boolean(),
      'Whether the agent can be paid now: it is active, and its owner’s accounts can receive payments.',
    ],
    missing: [
      v.array(MissingAccount),
      'The owner’s token accounts that cannot be paid. Standard clients do not create them.',
    ],
    prices: [v.array(RequestPrice), 'Ordered by name.'],
    accepts: [v.array(Accepts), 'The same prices in the same order, as `accepts` for a resource server.'],
  },
  {
    agentId: AGENT_ID,
    network: NETWORK,
    feePayer: FEE_PAYER,
    ready: true,
    missing: [],
    prices: [price],
    accepts: [accepts],
  },
)

const RequestRefusal = body(
  'RequestRefusal',
  'A reason to refuse payments to an agent that its owner can remove.',
  {
    reason: [
      v.picklist(requestRefusalReasons),
      `${Object.entries(requestRefusals)
        .map(([reason, meaning]) => `${reason} (${meaning})`)
        .join(', ')}.`,
    ],
    since: [Timestamp, 'The first refusal since the last payment.'],
    lastAt: [Timestamp, 'The last recorded refusal. One is recorded at most once an hour.'],
  },
  {
    reason: 'stale_fee_payer',
    since: '2026-11-28T10:30:00.000Z',
    lastAt: '2026-11-28T12:31:00.000Z',
  },
)

const refusal = exampleOf(RequestRefusal)

export const RequestSelling = body(
  'RequestSelling',
  'What an agent lacks to sell requests, and why its customers’ payments are refused.',
  {
    agentId: [WireUuid, 'The agent.'],
    usualDebit: [
      v.optional(WireAmount),
      'What a payment uses of your credit, in the smallest units of CRED, at the network fee of the published x402 clients. A higher network fee uses more.',
    ],
    missing: [
      v.array(v.picklist(sellingNeeds)),
      'key (POST /x402/agents/{id}/key), credit (less than the fee of a payment), token_account (a payment was refused for it), endpoint (the agent has no apiEndpoint).',
    ],
    refusals: [v.array(RequestRefusal), 'The newest first, until a later payment settles.'],
  },
  { agentId: AGENT_ID, usualDebit: 10_001_000, missing: ['endpoint'], refusals: [refusal] },
)

const ListedRoute = body(
  'ListedRoute',
  'Whether the route of a price is in the catalog of paid routes.',
  {
    name: [UserText, 'The name of the price.'],
    url: [
      v.optional(UserText),
      'The route, at the origin of the agent’s `apiEndpoint`. Absent if the name is not a method and a path, or there is no public endpoint.',
    ],
    state: [
      v.picklist(listedRouteStates),
      'unpaid (nobody has paid for it yet, nor was it checked), pending (it is checked within minutes), listed, or rejected.',
    ],
    code: [
      v.optional(v.picklist(requestResourceCodes)),
      'Why it is not in the catalog: price_not_a_route, price_ended, no_endpoint, not_active, hidden, not_named (your host has not named the agent, so only GET and HEAD are checked), or what the last check found: not_402, no_header, not_declared, names_another, price_differs, too_large, unsafe_text, opted_out, down. A listed route has the code of a first finding; a second one in a row takes it off the catalog.',
    ],
    remedy: [v.optional(OwnText), 'What you can do about it.'],
    hidden: [v.boolean(), 'Whether you keep it out of the catalog.'],
    checkedAt: [v.optional(Timestamp), 'The last check.'],
    nextCheckAt: [v.optional(Timestamp), 'The next check, unless you ask for one.'],
    paidAt: [v.optional(Timestamp), 'The last settled payment for it.'],
  },
  {
    name: 'GET /forecast/:city',
    url: 'https://api.example.com/forecast/:city',
    state: 'rejected',
    code: 'not_402',
    remedy:
      'Let your server answer 402 at exactly this path, without a query, a body or a payment. Then check again.',
    hidden: false,
    checkedAt: '2026-11-28T12:31:00.000Z',
    nextCheckAt: '2026-11-28T18:07:00.000Z',
    paidAt: '2026-11-28T12:30:00.000Z',
  },
)

const route = exampleOf(ListedRoute)

export const ListedRoutes = body(
  'ListedRoutes',
  'The routes of an agent’s prices, as its owner sees them.',
  {
    agentId: [WireUuid, 'The agent.'],
    routes: [v.array(ListedRoute), 'Of present prices, and of ended ones for 30 days. By name.'],
  },
  { agentId: AGENT_ID, routes: [route] },
)

const RequestPayment = body(
  'RequestPayment',
  'A payment for one request to an agent.',
  {
    id: [WireUuid, 'UUID.'],
    agentId: [WireUuid, 'The agent.'],
    agentName: [UserText, 'The agent’s name.'],
    owner: [OwnText, 'Who is paid: the agent’s owner.'],
    payer: [OwnText, 'The payer.'],
    amount: [WireAmount, 'Smallest units of the asset.'],
    asset: [OwnText, 'The mint.'],
    priceName: [
      v.optional(UserText),
      'The name of its price; absent if several prices of the agent had this amount, and the server named none.',
    ],
    url: [
      v.optional(UserText),
      'The route that the price is named after, at the origin of the agent’s present `apiEndpoint`. It is never what a payer sent.',
    ],
    status: [
      v.picklist(requestPaymentStatuses),
      'pending (sent, or about to be), settled (landed), failed (on the network, which charged a fee), or expired (never landed).',
    ],
    signature: [OwnText, 'Its signature on the network.'],
    debit: [
      v.optional(WireAmount),
      'Lamports of CRED that it used of the owner’s credit, returned if it expired. Only for the owner.',
    ],
    createdAt: [Timestamp, 'When it was recorded, just before it was sent.'],
    resolvedAt: [v.optional(Timestamp), 'When its outcome was known.'],
  },
  {
    id: REQUEST_PAYMENT_ID,
    agentId: AGENT_ID,
    agentName: 'Yield Scout',
    owner: OTHER_WALLET,
    payer: WALLET,
    amount: 250_000,
    asset: MINT,
    priceName: 'GET /forecast',
    url: 'https://api.example.com/forecast',
    status: 'settled',
    signature: SIGNATURE,
    createdAt: '2026-11-21T10:00:00.000Z',
    resolvedAt: '2026-11-21T10:00:01.000Z',
  },
)

export const RequestPaymentList = pageOf(
  ['RequestPaymentList', 'payments', 'One page of payments for requests.'],
  RequestPayment,
  ['Newest first.', 'payments'],
)

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

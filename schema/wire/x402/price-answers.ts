import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { AGENT_ID, BUDGET_ACCOUNT, FEE_PAYER, MINT, NETWORK, OTHER_WALLET } from '../../examples.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { WireAmount, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

const RequestPrice = v.strictObject({ name: UserText, amount: WireAmount, asset: OwnText })

const price = { name: 'GET /forecast', amount: 250_000, asset: MINT }

describe(RequestPrice, {
  name: 'RequestPrice',
  description: 'The price of one kind of request to an agent.',
  fields: {
    name: 'The owner’s name for it. A method and a path make it a route at the origin of the agent’s `apiEndpoint`.',
    amount: 'Smallest units of the asset.',
    asset: 'The mint.',
  },
  example: price,
})

export const RequestPrices = v.strictObject({ agentId: WireUuid, prices: v.array(RequestPrice) })

describe(RequestPrices, {
  name: 'RequestPrices',
  description: 'The prices of requests to an agent.',
  fields: { agentId: 'The agent.', prices: 'Ordered by name.' },
  example: { agentId: AGENT_ID, prices: [price] },
})

const Accepts = v.strictObject({
  scheme: v.literal('exact'),
  network: OwnText,
  payTo: OwnText,
  price: v.strictObject({
    amount: OwnText,
    asset: OwnText,
    extra: v.strictObject({ agentId: WireUuid, priceName: UserText }),
  }),
  maxTimeoutSeconds: v.pipe(v.number(), v.integer()),
  extra: v.strictObject({ paymentFlow: v.literal('upfront') }),
})

const accepts: v.InferInput<typeof Accepts> = {
  scheme: 'exact',
  network: NETWORK,
  payTo: OTHER_WALLET,
  price: { amount: '250000', asset: MINT, extra: { agentId: AGENT_ID, priceName: 'GET /forecast' } },
  maxTimeoutSeconds: 60,
  extra: { paymentFlow: 'upfront' },
}

describe(Accepts, {
  name: 'X402Accepts',
  description: 'One way to pay, in the format of x402 version 2.',
  fields: {
    scheme: 'The scheme.',
    network: 'The network’s CAIP-2 id.',
    payTo: 'Who is paid: the agent’s owner.',
    price: 'The price, its agent and its name. The amount is decimal text.',
    maxTimeoutSeconds: 'How long the server waits for the client’s signature.',
    extra: 'Tells servers to settle before they serve the request.',
  },
  example: accepts,
})

const MissingAccount = v.strictObject({ asset: OwnText, address: OwnText })

describe(MissingAccount, {
  name: 'MissingTokenAccount',
  description: 'An associated token account of the owner that is missing, frozen or owned by somebody else.',
  fields: { asset: 'Its mint.', address: 'Its address.' },
  example: { asset: MINT, address: BUDGET_ACCOUNT },
})

export const RequestTerms = v.strictObject({
  agentId: WireUuid,
  network: OwnText,
  feePayer: OwnText,
  ready: v.boolean(),
  missing: v.array(MissingAccount),
  prices: v.array(RequestPrice),
  accepts: v.array(Accepts),
})

describe(RequestTerms, {
  name: 'RequestTerms',
  description: 'The prices of requests to an agent, and how to pay.',
  fields: {
    agentId: 'The agent.',
    network: 'The network’s CAIP-2 id.',
    feePayer: 'The payer of the network’s fee: the service.',
    ready: 'Whether the agent can be paid now: it is active, and its owner’s accounts can receive payments.',
    missing: 'The owner’s token accounts that cannot be paid. Standard clients do not create them.',
    prices: 'Ordered by name.',
    accepts: 'The same prices in the same order, as `accepts` for a resource server.',
  },
  example: {
    agentId: AGENT_ID,
    network: NETWORK,
    feePayer: FEE_PAYER,
    ready: true,
    missing: [],
    prices: [price],
    accepts: [accepts],
  },
})

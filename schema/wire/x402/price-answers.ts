import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { AGENT_ID, BUDGET_ACCOUNT, FEE_PAYER, MINT, NETWORK, OTHER_WALLET } from '../../examples.ts'
import { WireAmount, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

const RequestPrice = v.strictObject({ name: v.string(), amount: WireAmount, asset: v.string() })

const price = { name: 'GET /forecast', amount: 250_000, asset: MINT }

if (WORDS)
  describe(RequestPrice, {
    name: 'RequestPrice',
    description: 'What one kind of request to an agent costs.',
    fields: {
      name: 'The owner’s word for it, such as the route.',
      amount: 'Smallest units of the asset.',
      asset: 'The mint.',
    },
    example: price,
  })

export const RequestPrices = v.strictObject({ agentId: WireUuid, prices: v.array(RequestPrice) })

if (WORDS)
  describe(RequestPrices, {
    name: 'RequestPrices',
    description: 'What requests to an agent cost.',
    fields: { agentId: 'The agent.', prices: 'By name.' },
    example: { agentId: AGENT_ID, prices: [price] },
  })

const Accepts = v.strictObject({
  scheme: v.literal('exact'),
  network: v.string(),
  payTo: v.string(),
  price: v.strictObject({
    amount: v.string(),
    asset: v.string(),
    extra: v.strictObject({ agentId: WireUuid }),
  }),
  maxTimeoutSeconds: v.pipe(v.number(), v.integer()),
  extra: v.strictObject({ paymentFlow: v.literal('upfront') }),
})

const accepts: v.InferInput<typeof Accepts> = {
  scheme: 'exact',
  network: NETWORK,
  payTo: OTHER_WALLET,
  price: { amount: '250000', asset: MINT, extra: { agentId: AGENT_ID } },
  maxTimeoutSeconds: 60,
  extra: { paymentFlow: 'upfront' },
}

if (WORDS)
  describe(Accepts, {
    name: 'X402Accepts',
    description: 'One way to pay, as resource servers of x402 version 2 take it.',
    fields: {
      scheme: 'The scheme.',
      network: 'The network’s CAIP-2 id.',
      payTo: 'Who is paid: the agent’s owner.',
      price: 'The price, and whose it is. The amount is decimal text.',
      maxTimeoutSeconds: 'For so long the client’s signature is waited for.',
      extra: 'Has servers settle before the request is served.',
    },
    example: accepts,
  })

const MissingAccount = v.strictObject({ asset: v.string(), address: v.string() })

if (WORDS)
  describe(MissingAccount, {
    name: 'MissingTokenAccount',
    description: 'An associated token account of the owner that is missing, frozen or somebody else’s.',
    fields: { asset: 'Its mint.', address: 'Where it should be.' },
    example: { asset: MINT, address: BUDGET_ACCOUNT },
  })

export const RequestTerms = v.strictObject({
  agentId: WireUuid,
  network: v.string(),
  feePayer: v.string(),
  ready: v.boolean(),
  missing: v.array(MissingAccount),
  prices: v.array(RequestPrice),
  accepts: v.array(Accepts),
})

if (WORDS)
  describe(RequestTerms, {
    name: 'RequestTerms',
    description: 'What requests to an agent cost, and how they are paid.',
    fields: {
      agentId: 'The agent.',
      network: 'The network’s CAIP-2 id.',
      feePayer: 'Who pays the network’s fee: the service.',
      ready: 'Whether the agent can be paid now: it is active, and none of its owner’s accounts is missing.',
      missing: 'The owner’s token accounts that no payment can go to. No stock client makes one.',
      prices: 'By name.',
      accepts: 'The same prices in the same order, as `accepts` of a resource server takes them.',
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

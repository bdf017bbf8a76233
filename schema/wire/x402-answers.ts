import * as v from 'valibot'
import {
  AGENT_ID,
  BUDGET_ACCOUNT,
  FACILITATOR_KEY,
  FEE_PAYER,
  MINT,
  OTHER_WALLET,
  REQUEST_PAYMENT_ID,
  SIGNATURE,
  WALLET,
} from '../examples.ts'
import { requestPaymentStatuses } from '../values.ts'
import { describe } from '../words.ts'
import { Timestamp, WireAmount, WireUuid } from './common.ts'

// Apart from what the Worker validates, so that its bundle has no schemas of answers.

const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

export const FacilitatorKey = v.strictObject({
  agentId: WireUuid,
  generation: v.pipe(v.number(), v.integer()),
  key: v.string(),
  url: v.string(),
})

if (WORDS)
  describe(FacilitatorKey, {
    name: 'FacilitatorKey',
    description: 'An agent’s key, which spends its owner’s credit: keep it secret. It is shown once.',
    fields: {
      agentId: 'The agent.',
      generation: 'A number that rises with each key of the agent. Only the newest is valid.',
      key: 'The key.',
      url: 'The facilitator’s URL, which stock software of x402 takes.',
    },
    example: {
      agentId: AGENT_ID,
      generation: 28_339_200,
      key: FACILITATOR_KEY,
      url: `https://api.agentcred.example/v1/x402/k/${FACILITATOR_KEY}`,
    },
  })

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

export const Supported = v.strictObject({
  kinds: v.array(
    v.strictObject({
      x402Version: v.pipe(v.number(), v.integer()),
      scheme: v.string(),
      network: v.string(),
      extra: v.strictObject({ feePayer: v.string() }),
    }),
  ),
  extensions: v.array(v.string()),
  signers: v.record(v.string(), v.array(v.string())),
})

if (WORDS)
  describe(Supported, {
    name: 'X402Supported',
    description: 'What the facilitator takes, as section 7 of the specification has it.',
    fields: {
      kinds: 'Version, scheme and network, and who pays the network’s fee.',
      extensions: 'None.',
      signers: 'The keys that the facilitator signs with, by family of networks.',
    },
    example: {
      kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK, extra: { feePayer: FEE_PAYER } }],
      extensions: [],
      signers: { 'solana:*': [FEE_PAYER] },
    },
  })

export const VerifyAnswer = v.strictObject({
  isValid: v.boolean(),
  invalidReason: v.optional(v.string()),
  invalidMessage: v.optional(v.string()),
  payer: v.optional(v.string()),
})

if (WORDS)
  describe(VerifyAnswer, {
    name: 'X402VerifyAnswer',
    description: 'Whether a payment would be settled now. Nothing is reserved for it.',
    fields: {
      isValid: 'Whether it would.',
      invalidReason: 'Why not: a reason of the specification, or one of the service’s.',
      invalidMessage: 'The same as a sentence.',
      payer: 'Who pays.',
    },
    example: { isValid: true, payer: WALLET },
  })

export const SettleAnswer = v.strictObject({
  success: v.boolean(),
  errorReason: v.optional(v.string()),
  errorMessage: v.optional(v.string()),
  payer: v.optional(v.string()),
  transaction: v.string(),
  network: v.string(),
})

if (WORDS)
  describe(SettleAnswer, {
    name: 'X402SettleAnswer',
    description: 'What became of a payment. `success` is answered once for each.',
    fields: {
      success: 'Whether it has landed, and this call is the one that was told so.',
      errorReason:
        'Why not: a reason of the specification, or one of the service’s. `settlement_pending`: ask the same again.',
      errorMessage: 'The same as a sentence.',
      payer: 'Who pays.',
      transaction: 'Its signature on the network; empty where nothing was sent.',
      network: 'The network’s CAIP-2 id.',
    },
    example: { success: true, payer: WALLET, transaction: SIGNATURE, network: NETWORK },
  })

export const RequestPayment = v.strictObject({
  id: WireUuid,
  agentId: WireUuid,
  owner: v.string(),
  payer: v.string(),
  amount: WireAmount,
  asset: v.string(),
  status: v.picklist(requestPaymentStatuses),
  signature: v.string(),
  debit: v.optional(WireAmount),
  createdAt: Timestamp,
  resolvedAt: v.optional(Timestamp),
})

const payment: v.InferInput<typeof RequestPayment> = {
  id: REQUEST_PAYMENT_ID,
  agentId: AGENT_ID,
  owner: OTHER_WALLET,
  payer: WALLET,
  amount: 250_000,
  asset: MINT,
  status: 'settled',
  signature: SIGNATURE,
  createdAt: '2026-11-21T10:00:00.000Z',
  resolvedAt: '2026-11-21T10:00:01.000Z',
}

if (WORDS)
  describe(RequestPayment, {
    name: 'RequestPayment',
    description: 'A payment for one request to an agent.',
    fields: {
      id: 'UUID.',
      agentId: 'The agent.',
      owner: 'Who is paid: the agent’s owner.',
      payer: 'Who pays.',
      amount: 'Smallest units of the asset.',
      asset: 'The mint.',
      status:
        'pending (sent, or about to be), settled (landed), failed (on the network, at a fee), or expired (never landed).',
      signature: 'Its signature on the network.',
      debit:
        'Lamports of CRED that the owner’s credit paid for it; given back where it expired. For its owner.',
      createdAt: 'When it was recorded, just before it was sent.',
      resolvedAt: 'When it was known what became of it.',
    },
    example: payment,
  })

export const RequestPaymentList = v.strictObject({
  payments: v.array(RequestPayment),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})

if (WORDS)
  describe(RequestPaymentList, {
    name: 'RequestPaymentList',
    description: 'One page of payments for requests.',
    fields: {
      payments: 'Newest first.',
      count: 'Number of payments in this page.',
      nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    },
    example: { payments: [payment], count: 1 },
  })

import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { AGENT_ID, MINT, OTHER_WALLET, REQUEST_PAYMENT_ID, SIGNATURE, WALLET } from '../../examples.ts'
import { requestPaymentStatuses } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

export const RequestPayment = v.strictObject({
  id: WireUuid,
  agentId: WireUuid,
  owner: OwnText,
  payer: OwnText,
  amount: WireAmount,
  asset: OwnText,
  priceName: v.optional(UserText),
  url: v.optional(UserText),
  status: v.picklist(requestPaymentStatuses),
  signature: OwnText,
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
  priceName: 'GET /forecast',
  url: 'https://api.example.com/forecast',
  status: 'settled',
  signature: SIGNATURE,
  createdAt: '2026-11-21T10:00:00.000Z',
  resolvedAt: '2026-11-21T10:00:01.000Z',
}

describe(RequestPayment, {
  name: 'RequestPayment',
  description: 'A payment for one request to an agent.',
  fields: {
    id: 'UUID.',
    agentId: 'The agent.',
    owner: 'Who is paid: the agent’s owner.',
    payer: 'The payer.',
    amount: 'Smallest units of the asset.',
    asset: 'The mint.',
    priceName:
      'The name of its price; absent if several prices of the agent had this amount, and the server named none.',
    url: 'The route that the price is named after, at the origin of the agent’s present `apiEndpoint`. It is never what a payer sent.',
    status:
      'pending (sent, or about to be), settled (landed), failed (on the network, which charged a fee), or expired (never landed).',
    signature: 'Its signature on the network.',
    debit: 'Lamports of CRED that it used of the owner’s credit, returned if it expired. Only for the owner.',
    createdAt: 'When it was recorded, just before it was sent.',
    resolvedAt: 'When its outcome was known.',
  },
  example: payment,
})

export const RequestPaymentList = v.strictObject({
  payments: v.array(RequestPayment),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})

describe(RequestPaymentList, {
  name: 'RequestPaymentList',
  description: 'One page of payments for requests.',
  fields: {
    payments: 'Newest first.',
    count: 'Number of payments on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
  example: { payments: [payment], count: 1 },
})

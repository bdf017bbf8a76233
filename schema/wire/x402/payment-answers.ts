import * as v from 'valibot'
import { exampleOf } from '../../docs.ts'
import { AGENT_ID, MINT, OTHER_WALLET, REQUEST_PAYMENT_ID, SIGNATURE, WALLET } from '../../examples.ts'
import { requestPaymentStatuses } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { body, pageOf } from '../body.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
export const RequestPayment = body(
  'RequestPayment',
  'A payment for one request to an agent.',
  {
    id: [WireUuid, 'UUID.'],
    agentId: [WireUuid, 'The agent.'],
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

const payment = exampleOf(RequestPayment)

export const RequestPaymentList = pageOf(
  ['RequestPaymentList', 'payments', 'One page of payments for requests.'],
  RequestPayment,
  ['Newest first.', 'payments'],
  payment,
)

import * as v from 'valibot'
import { MINT, OTHER_WALLET, REQUEST_PAYMENT_ID, SIGNATURE, TRANSACTION_ID, WALLET } from '../../examples.ts'
import { requestRefusalReasons } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'
import { aboutAgent, exampleAgent, OWNER, row } from './row.ts'

const PAYERS = 'the owner’s and the payer’s'

/** A payment for a request after the event. */
const paymentEntries = () => ({
  paymentId: WireUuid,
  ...aboutAgent(),
  owner: OwnText,
  payer: OwnText,
  asset: OwnText,
  amount: WireAmount,
  priceName: v.optional(UserText),
  url: v.optional(UserText),
  signature: OwnText,
  createdAt: Timestamp,
})

const RESOLVED_AT = '2026-11-20T10:00:01.500Z'

const payment = () => ({
  paymentId: REQUEST_PAYMENT_ID,
  ...exampleAgent,
  owner: OTHER_WALLET,
  payer: WALLET,
  asset: MINT,
  amount: 10_000_000,
  priceName: 'GET /forecast',
  url: 'https://api.example.com/forecast',
  signature: SIGNATURE,
  createdAt: '2026-11-20T10:00:00.000Z',
})

export const requestEvents = {
  'payment.settled': row({
    data: v.strictObject(paymentEntries()),
    words: {
      meaning:
        'A payment for a request was confirmed on the chain. `priceName` is its price, `url` the route of that name.',
      log: PAYERS,
      ofAgent: true,
    },
    example: { timestamp: RESOLVED_AT, data: payment() },
  }),
  'payment.failed': row({
    data: v.strictObject({
      ...paymentEntries(),
      status: v.picklist(['failed', 'expired']),
      payersFault: v.optional(v.boolean()),
    }),
    words: {
      meaning:
        'A payment for a request failed on the chain or expired. `payersFault` says whether the payer caused it. The owner receives at most 100 a day.',
      log: PAYERS,
      ofAgent: true,
    },
    example: {
      timestamp: RESOLVED_AT,
      data: { ...payment(), status: 'failed', payersFault: true },
    },
  }),
  'request.refused': row({
    data: v.strictObject({
      ...aboutAgent(),
      reason: v.picklist(requestRefusalReasons),
      since: Timestamp,
    }),
    words: {
      meaning:
        'A payment for a request to an agent was refused for a reason that its owner can remove; `since` is the first refusal since the last settled payment. Once in 24 hours for each reason. GET /x402/agents/{id}/selling has them all.',
      log: OWNER,
      ofAgent: true,
    },
    example: {
      timestamp: '2026-11-28T10:30:00.000Z',
      data: { ...exampleAgent, reason: 'no_credit', since: '2026-11-28T10:30:00.000Z' },
    },
  }),
  'credit.bought': row({
    data: v.strictObject({
      owner: OwnText,
      transactionId: WireUuid,
      amount: WireAmount,
      balance: WireAmount,
    }),
    words: {
      meaning: 'A purchase of credit was confirmed on the chain.',
      log: OWNER,
      ofAgent: false,
    },
    example: {
      timestamp: '2026-11-20T09:00:09.000Z',
      data: {
        owner: OTHER_WALLET,
        transactionId: TRANSACTION_ID,
        amount: 10_000_000_000,
        balance: 10_000_000_000,
      },
    },
  }),
  'credit.low': row({
    data: v.strictObject({ owner: OwnText, balance: WireAmount, lowBelow: WireAmount }),
    words: {
      meaning: 'Less than a fifth of the credit after the last purchase is left. Sent once per purchase.',
      log: OWNER,
      ofAgent: false,
    },
    example: {
      timestamp: '2026-11-28T10:00:00.000Z',
      data: { owner: OTHER_WALLET, balance: 1_990_000_000, lowBelow: 2_000_000_000 },
    },
  }),
}

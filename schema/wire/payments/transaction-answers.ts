import * as v from 'valibot'
import { describe } from '../../docs.ts'
import {
  AGENT_ID,
  BUDGET_ACCOUNT,
  HIRE_ID,
  OTHER_WALLET,
  SIGNATURE,
  TRANSACTION,
  TRANSACTION_ID,
  WALLET,
} from '../../examples.ts'
import { budgetStates, collectorStates, intentStatuses, paymentFailures, paymentKinds } from '../../values.ts'
import { OwnText } from '../answer-text.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

export const PaymentTransactionResponse = v.strictObject({
  success: v.literal(true),
  transaction: OwnText,
  message: OwnText,
  id: WireUuid,
  kind: v.picklist(paymentKinds),
  expiresAt: Timestamp,
  lastValidBlockHeight: WireAmount,
  address: v.optional(OwnText),
  collection: v.optional(
    v.strictObject({
      amount: WireAmount,
      fee: WireAmount,
      charges: v.pipe(v.number(), v.integer()),
      accounts: v.pipe(v.number(), v.integer()),
    }),
  ),
})

/** The example of every kind of transaction, without its message. */
export const paymentTransactionExample: Omit<
  v.InferInput<typeof PaymentTransactionResponse>,
  'message' | 'kind'
> = {
  success: true,
  transaction: TRANSACTION,
  id: TRANSACTION_ID,
  expiresAt: '2026-11-20T09:05:00.000Z',
  lastValidBlockHeight: 351_204_117,
}

describe(PaymentTransactionResponse, {
  name: 'PaymentTransactionResponse',
  description: 'A transaction that is not signed yet.',
  fields: {
    success: '`true`.',
    transaction:
      'Base64 of the transaction (legacy format). Your wallet signs first, and may add guards, a compute budget or a newer blockhash.',
    message: 'In words, what signing does and costs.',
    id: 'Use it to send the transaction and to read its status.',
    kind: 'What it does.',
    expiresAt: 'POST /payments/transactions accepts it until then: five minutes after it was built.',
    lastValidBlockHeight:
      'The last block height at which it can be included, with the blockhash that it was built with.',
    address: 'For a budget account: its address.',
    collection:
      'For a collection: base units of CRED that leave the budget accounts, the part for the treasury, and the numbers of charges and accounts.',
  },
})

export const PaymentTransaction = v.strictObject({
  id: WireUuid,
  kind: v.picklist(paymentKinds),
  status: v.picklist([...intentStatuses, 'unsigned']),
  reason: v.optional(v.picklist(paymentFailures)),
  wallet: OwnText,
  accounts: v.array(
    v.strictObject({ hireId: WireUuid, address: OwnText, amount: WireAmount, fee: WireAmount }),
  ),
  credit: v.optional(WireAmount),
  lastValidBlockHeight: WireAmount,
  signature: v.optional(OwnText),
  createdAt: Timestamp,
  resolvedAt: v.optional(Timestamp),
})

describe(PaymentTransaction, {
  name: 'PaymentTransaction',
  description: 'The status of a transaction that the service built.',
  fields: {
    id: 'UUID.',
    kind: 'What it does.',
    status:
      '`unsigned` (not sent yet), `open` (sent; its outcome is not known yet), `landed` (it took effect on the chain), `expired` (the service can no longer send it; it has no effect, unless the wallet sent it directly) or `failed` (the network ran it, without effect).',
    reason: 'Why it failed.',
    wallet: 'The wallet that it was built for.',
    accounts:
      'The budget accounts whose tokens it moves: base units of CRED and, for a collection, the part for the treasury.',
    credit: 'For a purchase of credit: base units of CRED.',
    lastValidBlockHeight: 'The last block height at which it can be included.',
    signature: 'Its id on the network, in Base58, after it was sent.',
    createdAt: 'When it was built.',
    resolvedAt: 'When the service read its outcome.',
  },
  example: {
    id: TRANSACTION_ID,
    kind: 'collect',
    status: 'landed',
    wallet: WALLET,
    accounts: [{ hireId: HIRE_ID, address: BUDGET_ACCOUNT, amount: 1_250_000_000, fee: 12_500_000 }],
    lastValidBlockHeight: 351_204_117,
    signature: SIGNATURE,
    createdAt: '2026-11-20T09:00:00.500Z',
    resolvedAt: '2026-11-20T09:00:09.000Z',
  },
})

export const Credit = v.strictObject({ balance: WireAmount, lowBelow: v.optional(WireAmount) })

describe(Credit, {
  name: 'Credit',
  description: 'The credit that a wallet has bought and not used yet.',
  fields: {
    balance: 'Base units of CRED.',
    lowBelow:
      'Below this balance the event `credit.low` is sent. Absent after that event, until you buy more.',
  },
  example: { balance: 9_850_000_000, lowBelow: 2_000_000_000 },
})

export const Budget = v.strictObject({
  hireId: WireUuid,
  agentId: WireUuid,
  owner: OwnText,
  hirer: OwnText,
  address: OwnText,
  status: v.picklist(budgetStates),
  balance: WireAmount,
  allowance: WireAmount,
  unpaid: WireAmount,
  unpaidCharges: v.pipe(v.number(), v.integer()),
  covered: v.boolean(),
})

const budgetExample: v.InferInput<typeof Budget> = {
  hireId: HIRE_ID,
  agentId: AGENT_ID,
  owner: OTHER_WALLET,
  hirer: WALLET,
  address: BUDGET_ACCOUNT,
  status: 'open',
  balance: 5_000_000_000,
  allowance: 5_000_000_000,
  unpaid: 1_250_000_000,
  unpaidCharges: 1,
  covered: true,
}

describe(Budget, {
  name: 'Budget',
  description: 'The budget account of a hire: a token account of the hirer’s own.',
  fields: {
    hireId: 'UUID.',
    agentId: 'UUID.',
    owner: 'The agent’s owner, who is paid.',
    hirer: 'The hirer, whose account it is.',
    address: 'Its address on the chain.',
    status:
      '`open`; `absent` (not opened yet, or withdrawn); `frozen` by the mint’s freeze authority; `foreign` (its hirer put another account there).',
    balance: 'Its balance, in base units of CRED.',
    allowance: 'The part of the balance that the agent’s owner and the service may collect together.',
    unpaid: 'Base units of CRED that were charged and are neither collected nor lapsed.',
    unpaidCharges: 'Number of these charges.',
    covered: 'Whether balance and allowance cover all of these charges. The hirer can withdraw at any time.',
  },
  example: budgetExample,
})

export const BudgetList = v.strictObject({
  budgets: v.array(Budget),
  count: v.pipe(v.number(), v.integer()),
  nextCursor: v.optional(OwnText),
  collector: v.optional(v.strictObject({ address: OwnText, status: v.picklist(collectorStates) })),
})

describe(BudgetList, {
  name: 'BudgetList',
  description: 'One page of budget accounts, oldest hires first.',
  fields: {
    budgets: 'The page.',
    count: 'Number of accounts on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    collector:
      'For the agents’ owner, on the first page: the payout account (collector) with the service’s newest key. `open`; `absent` (not opened yet); `foreign` (another account is at its address).',
  },
  example: { budgets: [budgetExample], count: 1 },
})

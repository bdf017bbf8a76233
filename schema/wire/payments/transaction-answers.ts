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
import { Timestamp, WireAmount, WireUuid } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

export const PaymentTransactionResponse = v.strictObject({
  success: v.literal(true),
  transaction: v.string(),
  message: v.string(),
  id: WireUuid,
  kind: v.picklist(paymentKinds),
  expiresAt: Timestamp,
  lastValidBlockHeight: WireAmount,
  address: v.optional(v.string()),
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

if (WORDS)
  describe(PaymentTransactionResponse, {
    name: 'PaymentTransactionResponse',
    description: 'A transaction that nobody has signed yet.',
    fields: {
      success: '`true`.',
      transaction:
        'Base64 of the transaction (legacy format). Sign it first; what wallets add to it (guards, a compute budget, a newer blockhash) may stay.',
      message: 'In words, what signing does and costs.',
      id: 'To send it by, and to ask for its state.',
      kind: 'What it does.',
      expiresAt: 'Until when POST /payments/transactions takes it: five minutes after it was built.',
      lastValidBlockHeight: 'The last block that can hold it, with the blockhash that it was built with.',
      address: 'Of a budget account’s: its address.',
      collection:
        'Of a collection: base units of CRED that leave the budget accounts, how many of them go to the treasury, of how many charges, from how many accounts.',
    },
  })

export const PaymentTransaction = v.strictObject({
  id: WireUuid,
  kind: v.picklist(paymentKinds),
  status: v.picklist([...intentStatuses, 'unsigned']),
  reason: v.optional(v.picklist(paymentFailures)),
  wallet: v.string(),
  accounts: v.array(
    v.strictObject({ hireId: WireUuid, address: v.string(), amount: WireAmount, fee: WireAmount }),
  ),
  credit: v.optional(WireAmount),
  lastValidBlockHeight: WireAmount,
  signature: v.optional(v.string()),
  createdAt: Timestamp,
  resolvedAt: v.optional(Timestamp),
})

if (WORDS)
  describe(PaymentTransaction, {
    name: 'PaymentTransaction',
    description: 'What became of a built transaction.',
    fields: {
      id: 'UUID.',
      kind: 'What it does.',
      status:
        '`unsigned` (not sent yet), `open` (sent; its outcome is not known yet), `landed` (its effect stands on the chain), `expired` (the service can not send it any more; it has no effect, unless its wallet alone has sent it past the service) or `failed` (the network ran it, and it had no effect).',
      reason: 'Why it failed.',
      wallet: 'The wallet that it was built for.',
      accounts:
        'The budget accounts that it moves tokens of: base units of CRED, and what of a collection goes to the treasury.',
      credit: 'Of a purchase of credit: base units of CRED.',
      lastValidBlockHeight: 'The last block that can hold it.',
      signature: 'Once it was sent: its id on the network, in Base58.',
      createdAt: 'When it was built.',
      resolvedAt: 'When its outcome was found.',
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

if (WORDS)
  describe(Credit, {
    name: 'Credit',
    description: 'What a wallet has bought and not used up.',
    fields: {
      balance: 'Base units of CRED.',
      lowBelow: 'Below this `credit.low` is told; absent once it was told, until more is bought.',
    },
    example: { balance: 9_850_000_000, lowBelow: 2_000_000_000 },
  })

export const Budget = v.strictObject({
  hireId: WireUuid,
  agentId: WireUuid,
  owner: v.string(),
  hirer: v.string(),
  address: v.string(),
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

if (WORDS)
  describe(Budget, {
    name: 'Budget',
    description: 'The budget account of a hire: a token account of the hirer’s own.',
    fields: {
      hireId: 'UUID.',
      agentId: 'UUID.',
      owner: 'The agent’s owner, who is paid.',
      hirer: 'The hirer, whose account it is.',
      address: 'Where it is on the chain.',
      status:
        '`open`; `absent` (nothing is there: not opened yet, or withdrawn); `frozen` by the mint’s freeze authority; `foreign` (its hirer has put something else there).',
      balance: 'Base units of CRED that it holds.',
      allowance: 'Of them, how many the agent’s owner and the service may collect together.',
      unpaid: 'Base units of CRED that are charged, and neither collected nor lapsed.',
      unpaidCharges: 'How many charges that are.',
      covered: 'Whether balance and allowance pay all of it. The hirer can withdraw at any time.',
    },
    example: budgetExample,
  })

export const BudgetList = v.strictObject({
  budgets: v.array(Budget),
  count: v.pipe(v.number(), v.integer()),
  nextCursor: v.optional(v.string()),
  collector: v.optional(v.strictObject({ address: v.string(), status: v.picklist(collectorStates) })),
})

if (WORDS)
  describe(BudgetList, {
    name: 'BudgetList',
    description: 'One page of budget accounts, those of the oldest hires first.',
    fields: {
      budgets: 'The page.',
      count: 'How many this page has.',
      nextCursor: 'For the next page, if there is one.',
      collector:
        'To the agents’ owner, on the first page: its collector under the newest key. `open`; `absent` (not made yet); `foreign` (something else is there).',
    },
    example: { budgets: [budgetExample], count: 1 },
  })

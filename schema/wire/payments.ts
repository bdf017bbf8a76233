import * as v from 'valibot'
import { exampleOf } from '../docs.ts'
import {
  AGENT_ID,
  BUDGET_ACCOUNT,
  HIRE_ID,
  JOB_ID,
  OTHER_WALLET,
  POSITION,
  SIGNATURE,
  TRANSACTION,
  TRANSACTION_ID,
  VAULT,
  WALLET,
} from '../examples.ts'
import {
  budgetStates,
  chargeRoles,
  collectorStates,
  intentStatuses,
  JOB_TEXT_BYTES,
  paymentFailures,
  paymentKinds,
} from '../values.ts'
import { OwnText } from './answer-text.ts'
import { body, pageFields, parameters } from './body.ts'
import { AmountFrom, Timestamp, Uuid, WireAmount, WireUuid, Yes } from './common.ts'
import { Work } from './text.ts'

export const Balances = body(
  'Balances',
  'What a wallet can spend.',
  {
    sol: [WireAmount, 'Lamports: billionths of a SOL.'],
    cred: [WireAmount, 'Base units of CRED: billionths of a CRED.'],
  },
  { sol: 1_250_000_000, cred: 72_500_000_000 },
)

const version = v.pipe(v.number(), v.integer())

export const Deployment = body(
  'Deployment',
  'What a client compares transactions with before its wallet signs them.',
  {
    mint: [OwnText, 'The mint of CRED.'],
    feeBps: [v.pipe(v.number(), v.integer()), 'The protocol fee on collections, in basis points.'],
    treasury: [OwnText, 'The token account that receives the fee: of the newest vault authority.'],
    vaultKeys: [
      v.array(v.strictObject({ version, authority: OwnText, recovery: OwnText })),
      'The keys in vaults by version, the oldest first: `authority` cosigns, and the offline `recovery` can take its place. A rotation adds a version, and never changes one.',
    ],
    paymentKeys: [
      v.array(v.strictObject({ version, authority: OwnText, recovery: v.optional(OwnText) })),
      'The keys that cosign collections, purchases of credit and payments of jobs, by version, the oldest first. The offline `recovery` can take the place of `authority` in jobs; a version without it funds none.',
    ],
  },
  {
    mint: 'CREDm1ntxV3aGZ8Jq9Wn4TtkYbR6uPpD2eKsLhFfQzXo',
    feeBps: 100,
    treasury: VAULT,
    vaultKeys: [{ version: 1, authority: WALLET, recovery: POSITION }],
    paymentKeys: [{ version: 1, authority: POSITION, recovery: WALLET }],
  },
)

/** Body of POST /payments/budgets. */
export const FundRequest = body(
  'FundRequest',
  'The amount to put into a hire’s budget account.',
  { hireId: [Uuid, 'A hire of yours.'], amount: [AmountFrom(1), 'Base units of CRED (10^-9), at least 1.'] },
  { hireId: HIRE_ID, amount: 5_000_000_000 },
)

/** Body of POST /payments/budgets/withdraw. */
export const WithdrawRequest = body(
  'WithdrawRequest',
  'The budget account to empty.',
  {
    hireId: [Uuid, 'A hire of yours.'],
    leaveOpen: [
      v.optional(v.boolean(), false),
      '`true` leaves the account open. Closing fails if somebody sends tokens to it meanwhile: then withdraw with `true`, and withdraw again to close it.',
    ],
  },
  { hireId: HIRE_ID },
)

/** Body of POST /payments/credit. */
export const CreditRequest = body(
  'CreditRequest',
  'How much credit to buy.',
  { amount: [AmountFrom(1), 'Base units of CRED (10^-9), at least 1.'] },
  { amount: 10_000_000_000 },
)

/** Body of POST /payments/collect; without hireId for all hires of all the wallet's agents. */
export const CollectRequest = body(
  'CollectRequest',
  'What to collect.',
  {
    hireId: [
      v.optional(Uuid),
      'A hire of one of your agents. When absent, the hires with the oldest charges.',
    ],
  },
  { hireId: HIRE_ID },
)

/** Body of POST /payments/collectors; optional. */
export const CollectorRequest = body(
  'CollectorRequest',
  'No fields: a wallet has one payout account (collector).',
  {},
  {},
)

/** Body of POST /payments/jobs/fund. */
export const JobFundRequest = body(
  'JobFundRequest',
  'The job to fund.',
  {
    jobId: [Uuid, 'A job of yours that was accepted.'],
    input: [
      v.optional(Work(JOB_TEXT_BYTES)),
      `The input of the job, at most ${JOB_TEXT_BYTES} bytes. Its SHA-256 hash is the \`inputHash\` of the order. The agent reads it once the job is funded. Absent for a job without an input, and once it was sent.`,
    ],
  },
  { jobId: JOB_ID },
)

/** Body of POST /payments/jobs/refund. */
export const JobRefundRequest = body(
  'JobRefundRequest',
  'The job to get money back from.',
  { jobId: [Uuid, 'A job of yours.'] },
  { jobId: JOB_ID },
)

/** Body of POST /payments/jobs/refund-account, /close and /collect. */
export const JobsRequest = body(
  'JobsRequest',
  'A job, or all of them.',
  {
    jobId: [
      v.optional(Uuid),
      'Only this job. The refund account is of its key version, otherwise of the newest.',
    ],
  },
  { jobId: JOB_ID },
)

/** Query of GET /payments/budgets. */
export const BudgetListQuery = parameters(
  {
    role: [
      v.optional(v.picklist(chargeRoles), 'hirer'),
      'Your side: `hirer` (when absent), or `owner` of the agents.',
    ],
    hireId: [v.optional(Uuid), 'Only the account of this hire, also before it is opened.'],
    due: [
      v.optional(Yes),
      '`true`: only accounts of hires with unpaid charges, also before they are opened.',
    ],
    ...pageFields,
  },
  { hireId: HIRE_ID, limit: '50' },
)

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

const JobEscrows = v.array(
  v.strictObject({ jobId: WireUuid, address: OwnText, amount: WireAmount, fee: WireAmount }),
)

export const PaymentTransactionResponse = body(
  'PaymentTransactionResponse',
  'A transaction that is not signed yet.',
  {
    success: [v.literal(true), '`true`.'],
    transaction: [
      OwnText,
      'Base64 of the transaction (legacy format). Your wallet signs first, and may add guards, a compute budget or a newer blockhash.',
    ],
    message: [OwnText, 'In words, what signing does and costs.'],
    id: [WireUuid, 'Use it to send the transaction and to read its status.'],
    kind: [v.picklist(paymentKinds), 'What it does.'],
    expiresAt: [
      Timestamp,
      'POST /payments/transactions accepts it until then: five minutes after it was built.',
    ],
    lastValidBlockHeight: [
      WireAmount,
      'The last block height at which it can be included, with the blockhash that it was built with.',
    ],
    address: [v.optional(OwnText), 'For a budget account or a refund account: its address.'],
    collection: [
      v.optional(
        v.strictObject({
          amount: WireAmount,
          fee: WireAmount,
          charges: v.pipe(v.number(), v.integer()),
          accounts: v.pipe(v.number(), v.integer()),
        }),
      ),
      'For a collection: base units of CRED that leave the budget accounts, the part for the treasury, and the numbers of charges and accounts.',
    ],
    jobs: [
      v.optional(JobEscrows),
      'For jobs: the escrow of each, the base units of CRED that go into it or leave it, and the part for the treasury.',
    ],
  },
)

export const PaymentTransaction = body(
  'PaymentTransaction',
  'The status of a transaction that the service built.',
  {
    id: [WireUuid, 'UUID.'],
    kind: [v.picklist(paymentKinds), 'What it does.'],
    status: [
      v.picklist([...intentStatuses, 'unsigned']),
      '`unsigned` (not sent yet), `open` (sent; its outcome is not known yet), `landed` (it took effect on the chain), `expired` (the service can no longer send it; it has no effect, unless the wallet sent it directly) or `failed` (the network ran it, without effect).',
    ],
    reason: [v.optional(v.picklist(paymentFailures)), 'Why it failed.'],
    wallet: [OwnText, 'The wallet that it was built for.'],
    accounts: [
      v.array(v.strictObject({ hireId: WireUuid, address: OwnText, amount: WireAmount, fee: WireAmount })),
      'The budget accounts whose tokens it moves: base units of CRED and, for a collection, the part for the treasury.',
    ],
    jobs: [
      v.optional(JobEscrows),
      'For jobs: the escrow of each, the base units of CRED that go into it or leave it, and the part for the treasury.',
    ],
    credit: [v.optional(WireAmount), 'For a purchase of credit: base units of CRED.'],
    lastValidBlockHeight: [WireAmount, 'The last block height at which it can be included.'],
    signature: [v.optional(OwnText), 'Its id on the network, in Base58, after it was sent.'],
    createdAt: [Timestamp, 'When it was built.'],
    resolvedAt: [v.optional(Timestamp), 'When the service read its outcome.'],
  },
  {
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
)

export const Credit = body(
  'Credit',
  'The credit that a wallet has bought and not used yet.',
  {
    balance: [WireAmount, 'Base units of CRED.'],
    lowBelow: [
      v.optional(WireAmount),
      'Below this balance the event `credit.low` is sent. Absent after that event, until you buy more.',
    ],
  },
  { balance: 9_850_000_000, lowBelow: 2_000_000_000 },
)

export const Budget = body(
  'Budget',
  'The budget account of a hire: a token account of the hirer’s own.',
  {
    hireId: [WireUuid, 'UUID.'],
    agentId: [WireUuid, 'UUID.'],
    owner: [OwnText, 'The agent’s owner, who is paid.'],
    hirer: [OwnText, 'The hirer, whose account it is.'],
    address: [OwnText, 'Its address on the chain.'],
    status: [
      v.picklist(budgetStates),
      '`open`; `absent` (not opened yet, or withdrawn); `frozen` by the mint’s freeze authority; `foreign` (its hirer put another account there).',
    ],
    balance: [WireAmount, 'Its balance, in base units of CRED.'],
    allowance: [
      WireAmount,
      'The part of the balance that the agent’s owner and the service may collect together.',
    ],
    unpaid: [WireAmount, 'Base units of CRED that were charged and are neither collected nor lapsed.'],
    unpaidCharges: [v.pipe(v.number(), v.integer()), 'Number of these charges.'],
    covered: [
      v.boolean(),
      'Whether balance and allowance cover all of these charges. The hirer can withdraw at any time.',
    ],
  },
  {
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
  },
)

const budgetExample = exampleOf(Budget)

export const BudgetList = body(
  'BudgetList',
  'One page of budget accounts, oldest hires first.',
  {
    budgets: [v.array(Budget), 'The page.'],
    count: [v.pipe(v.number(), v.integer()), 'Number of accounts on this page.'],
    nextCursor: [v.optional(OwnText), 'Send it as `cursor` for the next page; absent on the last.'],
    collector: [
      v.optional(v.strictObject({ address: OwnText, status: v.picklist(collectorStates) })),
      'For the agents’ owner, on the first page: the payout account (collector) with the service’s newest key. `open`; `absent` (not opened yet); `foreign` (another account is at its address).',
    ],
  },
  { budgets: [budgetExample], count: 1 },
)

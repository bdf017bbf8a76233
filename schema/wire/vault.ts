import * as v from 'valibot'
import { exampleOf } from '../docs.ts'
import { POSITION, TRANSACTION, TRANSACTION_ID, VAULT, WALLET } from '../examples.ts'
import { intentFailures, intentKinds, intentStatuses, signings } from '../values.ts'
import { OwnText } from './answer-text.ts'
import { body, parameters } from './body.ts'
import {
  AmountFrom,
  AmountParameter,
  Integer,
  Timestamp,
  WalletAddress,
  WireAmount,
  WireUuid,
} from './common.ts'

export const StackPosition = body('StackPosition', 'A stake in its own token account.', {
  id: [v.pipe(v.number(), v.integer()), 'Index, from 0; never reused.'],
  amount: [WireAmount, 'Principal, in base units of CRED.'],
  amountFormatted: [OwnText, 'The same in CRED.'],
  lockDays: [v.pipe(v.number(), v.integer()), 'The term in days.'],
  apyBps: [v.pipe(v.number(), v.integer()), 'Simple interest a year, in basis points.'],
  stakedAt: [Timestamp, 'When the term began.'],
  unlocksAt: [Timestamp, 'When the lock ends; the yield stops growing then.'],
  isLocked: [v.boolean(), 'Whether it is still locked.'],
  address: [OwnText, 'Its token account.'],
  escrowed: [
    WireAmount,
    'Balance of that account when the chain was last read: at least amount plus yield less claimed.',
  ],
  claimed: [WireAmount, 'Yield that claims have paid out.'],
  yield: [WireAmount, 'Yield of the whole term.'],
  pendingYield: [WireAmount, 'Accrued and unclaimed yield.'],
})

const Balances = body('Balances', 'Sums of the positions that are not withdrawn.', {
  cred: [WireAmount, 'Principal.'],
  credFormatted: [OwnText, 'The same in CRED.'],
  stacked: [WireAmount, 'The part that is still locked.'],
  stackedFormatted: [OwnText, 'The same in CRED.'],
  pendingYield: [WireAmount, 'Accrued and unclaimed yield.'],
  pendingYieldFormatted: [OwnText, 'The same in CRED.'],
})

export const Vault = body(
  'Vault',
  'An owner’s vault.',
  {
    exists: [v.literal(true), '`true`. Before the first position there is no vault, and the answer is 404.'],
    owner: [OwnText, 'The wallet.'],
    vaultPda: [
      OwnText,
      'The multisig account that owns the positions: its owner and (authority or recovery) must sign.',
    ],
    balances: [Balances, 'Sums in base units of CRED (10^-9).'],
    positions: [v.array(StackPosition), 'Positions that are not withdrawn, by id.'],
  },
  {
    exists: true,
    owner: WALLET,
    vaultPda: VAULT,
    balances: {
      cred: 1_000_000_000,
      credFormatted: '1',
      stacked: 1_000_000_000,
      stackedFormatted: '1',
      pendingYield: 273_972,
      pendingYieldFormatted: '0.000273972',
    },
    positions: [
      {
        id: 0,
        amount: 1_000_000_000,
        amountFormatted: '1',
        lockDays: 30,
        apyBps: 1000,
        stakedAt: '2026-11-20T09:00:00.000Z',
        unlocksAt: '2026-12-20T09:00:00.000Z',
        isLocked: true,
        address: POSITION,
        escrowed: 1_008_219_178,
        claimed: 0,
        yield: 8_219_178,
        pendingYield: 273_972,
      },
    ],
  },
)

const quoteFields = {
  amount: [WireAmount, 'Principal, in base units of CRED (10^-9).'],
  lockDays: [v.pipe(v.number(), v.integer()), 'The term in days.'],
  apyBps: [v.pipe(v.number(), v.integer()), 'Simple interest a year, in basis points.'],
  yield: [WireAmount, 'Yield of the whole term.'],
  yieldFormatted: [OwnText, 'The same in CRED.'],
  stakedAt: [Timestamp, 'When the term begins: when the transaction was built.'],
  unlocksAt: [Timestamp, 'When it ends.'],
  funded: [
    v.optional(v.boolean()),
    'Whether the caller’s account holds the amount now. If not, the service signs nothing: fund the account, then request the stake again.',
  ],
  networkFee: [v.optional(WireAmount), 'The network’s fee, in lamports of SOL.'],
  positionRent: [
    v.optional(WireAmount),
    'Rent of the position’s account in lamports of SOL, returned at withdrawal.',
  ],
  vaultRent: [
    v.optional(WireAmount),
    'Rent of the vault’s account in lamports of SOL, only with the first stake; not returned.',
  ],
} as const

export const Quote = body('Quote', 'What a stake earns and costs.', quoteFields, {
  amount: 1_000_000_000,
  lockDays: 30,
  apyBps: 1000,
  yield: 8_219_178,
  yieldFormatted: '0.008219178',
  stakedAt: '2026-11-20T09:00:00.000Z',
  unlocksAt: '2026-12-20T09:00:00.000Z',
})

export const quoteExample = exampleOf(Quote)

export const VaultTerms = body(
  'VaultTerms',
  'Mint, keys and rates.',
  {
    mint: [OwnText, 'The staking token’s mint.'],
    decimals: [v.literal(9), 'Its decimals.'],
    tokenProgram: [OwnText, 'The program that holds the escrow.'],
    mintAuthority: [v.optional(OwnText), 'Who may mint more; absent if nobody.'],
    freezeAuthority: [v.optional(OwnText), 'Who may freeze accounts; absent if nobody.'],
    authority: [OwnText, 'The service’s key that cosigns.'],
    recovery: [OwnText, 'The offline key that can take its place.'],
    treasury: [OwnText, 'The token account that pays the yields.'],
    treasuryBalance: [WireAmount, 'Its balance, in base units of CRED.'],
    generation: [v.pipe(v.number(), v.integer()), 'Version number of the current key pair.'],
    terms: [
      v.array(
        v.strictObject({
          lockDays: v.pipe(v.number(), v.integer()),
          apyBps: v.pipe(v.number(), v.integer()),
        }),
      ),
      'Rate of each term.',
    ],
  },
  {
    mint: 'CREDm1ntxV3aGZ8Jq9Wn4TtkYbR6uPpD2eKsLhFfQzXo',
    decimals: 9,
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    mintAuthority: WALLET,
    authority: WALLET,
    recovery: POSITION,
    treasury: VAULT,
    treasuryBalance: 250_000_000_000_000,
    generation: 1,
    terms: [
      { lockDays: 7, apyBps: 800 },
      { lockDays: 365, apyBps: 1600 },
    ],
  },
)

/** The example of every kind of transaction, without its message. */
export const transactionExample: Omit<v.InferInput<typeof TransactionResponse>, 'message'> = {
  success: true,
  transaction: TRANSACTION,
  id: TRANSACTION_ID,
  signing: 'service_first',
  expiresAt: '2026-11-20T09:01:00.000Z',
  lastValidBlockHeight: 351_204_117,
}

export const TransactionResponse = body(
  'TransactionResponse',
  'A transaction that lacks only the caller’s signature.',
  {
    success: [v.literal(true), '`true`.'],
    transaction: [
      OwnText,
      'Base64 of the transaction (legacy format). With `service_first` the service has signed it, and any change invalidates it. With `wallet_first` nobody has signed it.',
    ],
    message: [OwnText, 'In words, what signing does and costs.'],
    id: [WireUuid, 'Use it to send the transaction and to read its status.'],
    signing: [
      v.picklist(signings),
      'Who signs first. A stake that the caller cannot fund yet is always `wallet_first`.',
    ],
    step: [
      v.optional(v.picklist(['stack', 'open_vault'])),
      'For a stake: `stack`, or `open_vault` before a first stake with `wallet_first`. Only the owner signs `open_vault`. Send it, and request the stake again after it has landed.',
    ],
    expiresAt: [
      Timestamp,
      'About when the network stops accepting it; with `wallet_first`, when the service stops signing it.',
    ],
    lastValidBlockHeight: [
      WireAmount,
      'The last block height at which it can be included; with `wallet_first`, for the blockhash that it was built with.',
    ],
    quote: [v.optional(Quote), 'For a stake, its terms and costs.'],
  },
)

export const VaultTransaction = body(
  'VaultTransaction',
  'The status of a transaction that the service built.',
  {
    id: [WireUuid, 'UUID.'],
    kind: [v.picklist(intentKinds), 'What it does.'],
    signing: [v.picklist(signings), 'Who signs it first.'],
    status: [
      v.picklist([...intentStatuses, 'unsigned']),
      '`unsigned` (`wallet_first`: the service has not signed it yet), `open` (signed; its outcome is not known yet), `landed` (it took effect on the chain), `expired` (it has no effect and never will) or `failed` (the owner’s account prevents it on the chain; see `reason`).',
    ],
    reason: [
      v.optional(v.picklist(intentFailures)),
      'Why it failed. `vault_foreign`: the vault’s address holds another account. `position_foreign`: the position’s address holds another account, or too small a balance. Both are reported when the stake can no longer land. `left_before_seen`: the stake landed and was withdrawn with the recovery key before the service saw it. `unproven`: the network did not show within a day whether the stake landed.',
    ],
    owner: [OwnText, 'The wallet that it was built for.'],
    positionIds: [
      v.array(v.pipe(v.number(), v.integer())),
      'The positions it concerns, once they are known.',
    ],
    positionId: [v.optional(v.pipe(v.number(), v.integer())), 'The position, when it is one.'],
    lastValidBlockHeight: [WireAmount, 'The last block height at which it can be included.'],
    signature: [
      v.optional(OwnText),
      'With `wallet_first`, after the service has signed it: its id on the network, in Base58.',
    ],
    createdAt: [Timestamp, 'When it was built.'],
    resolvedAt: [v.optional(Timestamp), 'When the service read its outcome.'],
  },
  {
    id: TRANSACTION_ID,
    kind: 'stack',
    signing: 'service_first',
    status: 'landed',
    owner: WALLET,
    positionId: 0,
    positionIds: [0],
    lastValidBlockHeight: 351_204_117,
    createdAt: '2026-11-20T09:00:00.500Z',
    resolvedAt: '2026-11-20T09:00:09.000Z',
  },
)

const lockDays = [7, 30, 90, 180, 365] as const

export const VaultQuery = parameters({ owner: [WalletAddress, 'The wallet.'] }, { owner: WALLET })

/** Query of GET /vault/quote. */
export const QuoteQuery = parameters(
  {
    amount: [AmountParameter, 'Base units of CRED (10^-9).'],
    lockDays: [
      v.pipe(
        v.picklist(lockDays.map(String)),
        v.transform((days) => Number(days) as (typeof lockDays)[number]),
      ),
      'The term.',
    ],
  },
  { amount: '1000000000', lockDays: '30' },
)

/** A position's index. PostgreSQL's integer is the limit. */
const PositionId = Integer(0, 2_147_483_647)

/** The order of signing; by default the service signs first. */
const SigningChoice = v.optional(v.picklist(signings), 'service_first')

const signingWords =
  '`service_first` (the default): the service has signed the transaction, and it must not be changed. `wallet_first`: nobody has signed it; sign it and send it to POST /vault/transactions within five minutes. For wallets that add instructions when they sign.'

/** Body of POST /vault/stack. */
export const StackRequest = body(
  'StackRequest',
  'A stake.',
  {
    amount: [AmountFrom(1), 'Base units of CRED (10^-9), at least 1.'],
    lockDays: [v.picklist(lockDays), '7, 30, 90, 180 or 365; determines the rate.'],
    signing: [SigningChoice, signingWords],
  },
  { amount: 1_000_000_000, lockDays: 30 },
)

/** Body of POST /vault/unstack. */
export const UnstackRequest = body(
  'UnstackRequest',
  'A withdrawal.',
  { positionId: [PositionId, 'Index of the position.'], signing: [SigningChoice, signingWords] },
  { positionId: 0 },
)

/** Body of POST /vault/leftovers. */
export const LeftoversRequest = body(
  'LeftoversRequest',
  'Closes an account that a withdrawal left open.',
  { positionId: [PositionId, 'Index of the withdrawn position.'], signing: [SigningChoice, signingWords] },
  { positionId: 0 },
)

/** Body of POST /vault/claim; without positionId for all positions. */
export const ClaimRequest = body(
  'ClaimRequest',
  'A payout of yield.',
  {
    positionId: [v.optional(PositionId), 'Index of the position; all of them when absent.'],
    signing: [SigningChoice, signingWords],
  },
  { positionId: 0 },
)

import * as v from 'valibot'
import { exampleOf } from '../../docs.ts'
import { POSITION, VAULT, WALLET } from '../../examples.ts'
import { OwnText } from '../answer-text.ts'
import { body } from '../body.ts'
import { Timestamp, WireAmount } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
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

import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { POSITION, VAULT, WALLET } from '../../examples.ts'
import { OwnText } from '../answer-text.ts'
import { Timestamp, WireAmount } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

export const StackPosition = v.strictObject({
  id: v.pipe(v.number(), v.integer()),
  amount: WireAmount,
  amountFormatted: OwnText,
  lockDays: v.pipe(v.number(), v.integer()),
  apyBps: v.pipe(v.number(), v.integer()),
  stakedAt: Timestamp,
  unlocksAt: Timestamp,
  isLocked: v.boolean(),
  address: OwnText,
  escrowed: WireAmount,
  claimed: WireAmount,
})

describe(StackPosition, {
  name: 'StackPosition',
  description: 'A stake in its own token account.',
  fields: {
    id: 'Index, from 0; never reused.',
    amount: 'Principal, in base units of CRED.',
    amountFormatted: 'The same in CRED.',
    lockDays: 'The term in days.',
    apyBps: 'Simple interest a year, in basis points.',
    stakedAt: 'When the term began.',
    unlocksAt: 'When the lock ends; the yield stops growing then.',
    isLocked: 'Whether it is still locked.',
    address: 'Its token account.',
    escrowed:
      'Balance of that account when the chain was last read: at least amount plus yield less claimed.',
    claimed: 'Yield that claims have paid out.',
  },
})

const Balances = v.strictObject({
  cred: WireAmount,
  credFormatted: OwnText,
  stacked: WireAmount,
  stackedFormatted: OwnText,
  pendingYield: WireAmount,
  pendingYieldFormatted: OwnText,
})

describe(Balances, {
  name: 'Balances',
  description: 'Sums of the positions that are not withdrawn.',
  fields: {
    cred: 'Principal.',
    credFormatted: 'The same in CRED.',
    stacked: 'The part that is still locked.',
    stackedFormatted: 'The same in CRED.',
    pendingYield: 'Accrued and unclaimed yield.',
    pendingYieldFormatted: 'The same in CRED.',
  },
})

export const Vault = v.strictObject({
  exists: v.literal(true),
  owner: OwnText,
  vaultPda: OwnText,
  balances: Balances,
  positions: v.array(StackPosition),
})

describe(Vault, {
  name: 'Vault',
  description: 'An owner’s vault.',
  fields: {
    exists: '`true`. Before the first position there is no vault, and the answer is 404.',
    owner: 'The wallet.',
    vaultPda:
      'The multisig account that owns the positions: its owner and (authority or recovery) must sign.',
    balances: 'Sums in base units of CRED (10^-9).',
    positions: 'Positions that are not withdrawn, by id.',
  },
  example: {
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
})

export const Quote = v.strictObject({
  amount: WireAmount,
  lockDays: v.pipe(v.number(), v.integer()),
  apyBps: v.pipe(v.number(), v.integer()),
  yield: WireAmount,
  yieldFormatted: OwnText,
  stakedAt: Timestamp,
  unlocksAt: Timestamp,
  funded: v.optional(v.boolean()),
  networkFee: v.optional(WireAmount),
  positionRent: v.optional(WireAmount),
  vaultRent: v.optional(WireAmount),
})

const quoteFields = {
  amount: 'Principal, in base units of CRED (10^-9).',
  lockDays: 'The term in days.',
  apyBps: 'Simple interest a year, in basis points.',
  yield: 'Yield of the whole term.',
  yieldFormatted: 'The same in CRED.',
  stakedAt: 'When the term begins: when the transaction was built.',
  unlocksAt: 'When it ends.',
  funded:
    'Whether the caller’s account holds the amount now. If not, the service signs nothing: fund the account, then request the stake again.',
  networkFee: 'The network’s fee, in lamports of SOL.',
  positionRent: 'Rent of the position’s account in lamports of SOL, returned at withdrawal.',
  vaultRent: 'Rent of the vault’s account in lamports of SOL, only with the first stake; not returned.',
}

export const quoteExample: v.InferInput<typeof Quote> = {
  amount: 1_000_000_000,
  lockDays: 30,
  apyBps: 1000,
  yield: 8_219_178,
  yieldFormatted: '0.008219178',
  stakedAt: '2026-11-20T09:00:00.000Z',
  unlocksAt: '2026-12-20T09:00:00.000Z',
}

describe(Quote, {
  name: 'Quote',
  description: 'What a stake earns and costs.',
  fields: quoteFields,
  example: quoteExample,
})

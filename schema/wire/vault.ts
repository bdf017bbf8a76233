import * as v from 'valibot'
import { intentKinds, intentStatuses } from '../values.ts'
import { Integer, IntegerParameter, Timestamp, Uuid, WalletAddress, WireAmount } from './common.ts'

const lockDays = [7, 30, 90, 180, 365] as const

/** A position's index. PostgreSQL's integer is the limit. */
const PositionId = Integer(0, 2_147_483_647)

/** Body of POST /vault/stack. */
export const StackRequest = v.strictObject({
  amount: v.pipe(
    Integer(1),
    v.transform((amount) => BigInt(amount)),
  ),
  lockDays: v.picklist(lockDays),
})

/** Body of POST /vault/unstack. */
export const UnstackRequest = v.strictObject({ positionId: PositionId })

/** Body of POST /vault/claim; without positionId all positions. */
export const ClaimRequest = v.strictObject({ positionId: v.optional(PositionId) })

/** Body of POST /vault/transactions. */
export const RelayRequest = v.strictObject({ id: Uuid, transaction: v.string() })

export const VaultQuery = v.object({ owner: WalletAddress })
export const TransactionPath = v.object({ id: Uuid })

/** Query of GET /vault/quote. */
export const QuoteQuery = v.object({
  amount: v.pipe(
    IntegerParameter(1, Number.MAX_SAFE_INTEGER),
    v.transform((amount) => BigInt(amount)),
  ),
  lockDays: v.pipe(
    v.picklist(lockDays.map(String)),
    v.transform((days) => Number(days) as (typeof lockDays)[number]),
  ),
})

export const StackPosition = v.strictObject({
  id: v.pipe(v.number(), v.integer()),
  amount: WireAmount,
  amountFormatted: v.string(),
  lockDays: v.pipe(v.number(), v.integer()),
  apyBps: v.pipe(v.number(), v.integer()),
  stakedAt: Timestamp,
  unlocksAt: Timestamp,
  isLocked: v.boolean(),
  address: v.string(),
  escrowed: WireAmount,
  claimed: WireAmount,
})

export const Balances = v.strictObject({
  cred: WireAmount,
  credFormatted: v.string(),
  stacked: WireAmount,
  stackedFormatted: v.string(),
  pendingYield: WireAmount,
  pendingYieldFormatted: v.string(),
})

export const Vault = v.strictObject({
  exists: v.literal(true),
  owner: v.string(),
  vaultPda: v.string(),
  balances: Balances,
  positions: v.array(StackPosition),
})

export const Quote = v.strictObject({
  amount: WireAmount,
  lockDays: v.pipe(v.number(), v.integer()),
  apyBps: v.pipe(v.number(), v.integer()),
  yield: WireAmount,
  yieldFormatted: v.string(),
  stakedAt: Timestamp,
  unlocksAt: Timestamp,
  funded: v.optional(v.boolean()),
  networkFee: v.optional(WireAmount),
  positionRent: v.optional(WireAmount),
  vaultRent: v.optional(WireAmount),
})

export const TransactionResponse = v.strictObject({
  success: v.literal(true),
  transaction: v.string(),
  message: v.string(),
  id: v.pipe(v.string(), v.uuid()),
  expiresAt: Timestamp,
  lastValidBlockHeight: WireAmount,
  quote: v.optional(Quote),
})

export const VaultTransaction = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  kind: v.picklist(intentKinds),
  status: v.picklist(intentStatuses),
  owner: v.string(),
  positionIds: v.array(v.pipe(v.number(), v.integer())),
  positionId: v.optional(v.pipe(v.number(), v.integer())),
  lastValidBlockHeight: WireAmount,
  createdAt: Timestamp,
  resolvedAt: v.optional(Timestamp),
})

export const RelayedTransaction = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  signature: v.string(),
})

export const VaultTerms = v.strictObject({
  mint: v.string(),
  decimals: v.literal(9),
  tokenProgram: v.string(),
  mintAuthority: v.optional(v.string()),
  freezeAuthority: v.optional(v.string()),
  authority: v.string(),
  recovery: v.string(),
  treasury: v.string(),
  treasuryBalance: WireAmount,
  generation: v.pipe(v.number(), v.integer()),
  terms: v.array(
    v.strictObject({ lockDays: v.pipe(v.number(), v.integer()), apyBps: v.pipe(v.number(), v.integer()) }),
  ),
})

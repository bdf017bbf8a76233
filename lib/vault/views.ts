import { cred, formatAmount } from '../../schema/amounts.ts'
import type { BuiltTransaction } from './building.ts'
import type { PositionRow, RecordedVault } from './queries.ts'
import type { StackQuote } from './quote.ts'
import {
  APY_BPS,
  isLocked,
  type LockDays,
  startOf,
  type Terms,
  termYield,
  totalsOf,
  unlocksAt,
} from './rules.ts'
import { positionOf, termsOf } from './settlement.ts'
import type { TransactionStatus } from './status.ts'

/** Vault of the contract, with each position's address and what it holds on the chain. */
export function vaultView(vault: RecordedVault & { owner: string; address: string }, now: Date) {
  const { positions } = vault
  const {
    cred: total,
    stacked,
    pendingYield,
  } = totalsOf(
    positions.map((row) => positionOf(row, row.escrowed)),
    now,
  )
  return {
    exists: true,
    owner: vault.owner,
    vaultPda: vault.address,
    balances: {
      cred: total,
      credFormatted: formatAmount(total),
      stacked,
      stackedFormatted: formatAmount(stacked),
      pendingYield,
      pendingYieldFormatted: formatAmount(pendingYield),
    },
    positions: positions.map((row) => positionView(row, now)),
  }
}

function positionView(row: PositionRow, now: Date) {
  const terms = termsOf(row)
  return {
    id: row.id,
    amount: row.principal,
    amountFormatted: formatAmount(terms.amount),
    lockDays: row.lockDays,
    apyBps: row.apyBps,
    stakedAt: row.stakedAt.toISOString(),
    unlocksAt: unlocksAt(terms).toISOString(),
    isLocked: isLocked(terms, now),
    address: row.address,
    escrowed: row.escrowed,
    claimed: row.claimed,
  }
}

/** TransactionResponse of the contract. */
export const transactionView = (built: BuiltTransaction & { quote?: StackQuote }) => ({
  success: true,
  transaction: built.transaction,
  message: built.message,
  id: built.id,
  expiresAt: built.expiresAt.toISOString(),
  lastValidBlockHeight: built.lastValidBlockHeight,
  quote: built.quote && {
    ...termsView(built.quote.terms),
    funded: built.quote.funded,
    networkFee: built.quote.fee,
    positionRent: built.quote.positionRent,
    vaultRent: built.quote.vaultRent,
  },
})

/** What a stake of this amount would earn if it began at `now`. */
export const quoteView = (input: { amount: bigint; lockDays: LockDays }, now: Date) =>
  termsView({
    amount: cred(input.amount),
    lockDays: input.lockDays,
    apyBps: APY_BPS[input.lockDays],
    stakedAt: startOf(now),
  })

const termsView = (terms: Terms) => ({
  amount: terms.amount,
  lockDays: terms.lockDays,
  apyBps: terms.apyBps,
  yield: termYield(terms),
  yieldFormatted: formatAmount(termYield(terms)),
  stakedAt: terms.stakedAt.toISOString(),
  unlocksAt: unlocksAt(terms).toISOString(),
})

/** A built transaction's fate. */
export const statusView = ({ intent, positionIds }: TransactionStatus) => ({
  id: intent.id,
  kind: intent.kind,
  status: intent.status,
  owner: intent.owner,
  positionId: positionIds.length === 1 ? positionIds[0] : undefined,
  positionIds,
  lastValidBlockHeight: intent.lastValidBlockHeight,
  createdAt: intent.createdAt.toISOString(),
  resolvedAt: intent.resolvedAt?.toISOString(),
})

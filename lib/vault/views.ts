import { CRED_DECIMALS, cred, formatAmount } from '../../schema/amounts.ts'
import type { Wire } from '../../schema/wire/common.ts'
import {
  type Quote,
  StackPosition,
  type TransactionResponse,
  type Vault,
  VaultTerms,
  VaultTransaction,
} from '../../schema/wire/vault.ts'
import { answer } from '../answer.ts'
import type { FoundTransaction, PositionRow, RecordedVault } from './queries.ts'
import {
  APY_BPS,
  claimableYield,
  isLocked,
  type LockDays,
  startOf,
  type Terms,
  termYield,
  totalsOf,
  unlocksAt,
} from './rules.ts'
import { positionOf, termsOf } from './settlement/settlement.ts'
import type { StackQuote } from './stacking/quote.ts'
import type { vaultTerms } from './terms.ts'
import type { BuiltTransaction } from './transactions/building.ts'
import { isAwaitingSignature } from './transactions/signing.ts'

/** Makes the API's Vault, with the address and the balance of each position. */
export function vaultView(
  vault: RecordedVault & { owner: string; address: string },
  now: Date,
): Wire<typeof Vault> {
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

function positionView(row: PositionRow, now: Date): Wire<typeof StackPosition> {
  const terms = termsOf(row)
  return answer(StackPosition, {
    ...row,
    amount: row.principal,
    amountFormatted: formatAmount(terms.amount),
    unlocksAt: unlocksAt(terms),
    isLocked: isLocked(terms, now),
    yield: termYield(terms),
    pendingYield: claimableYield(positionOf(row, row.escrowed), now),
  })
}

/** Makes the API's TransactionResponse. */
export const transactionView = (
  built: BuiltTransaction & { step?: 'stack' | 'open_vault'; quote?: StackQuote },
): Wire<typeof TransactionResponse> => ({
  success: true,
  transaction: built.transaction,
  message: built.message,
  id: built.id,
  signing: built.signing,
  step: built.step,
  expiresAt: built.expiresAt.toISOString(),
  lastValidBlockHeight: built.lastValidBlockHeight,
  quote: built.quote && termsView(built.quote.terms, built.quote),
})

/** Makes the quote of a stake that begins at `now`. */
export const quoteView = (input: { amount: bigint; lockDays: LockDays }, now: Date): Wire<typeof Quote> =>
  termsView({
    amount: cred(input.amount),
    lockDays: input.lockDays,
    apyBps: APY_BPS[input.lockDays],
    stakedAt: startOf(now),
  })

/** Makes a quote: the yield of a stake, and its costs if a transaction was built for it. */
const termsView = (terms: Terms, costs?: StackQuote): Wire<typeof Quote> => ({
  amount: terms.amount,
  lockDays: terms.lockDays,
  apyBps: terms.apyBps,
  yield: termYield(terms),
  yieldFormatted: formatAmount(termYield(terms)),
  stakedAt: terms.stakedAt.toISOString(),
  unlocksAt: unlocksAt(terms).toISOString(),
  funded: costs?.funded,
  networkFee: costs?.fee,
  positionRent: costs?.positionRent,
  vaultRent: costs?.vaultRent,
})

/** Makes the answer for the status of a built transaction. */
export function statusView(found: FoundTransaction): Wire<typeof VaultTransaction> {
  const { intent, positionIds } = found
  return answer(VaultTransaction, {
    ...intent,
    status: intent.status === 'open' && isAwaitingSignature(intent) ? 'unsigned' : intent.status,
    positionId: positionIds.length === 1 ? positionIds[0] : undefined,
    positionIds,
    signature: intent.networkSignature,
  })
}

/** Makes the answer for the terms that an owner relies on. */
export const vaultTermsView = (terms: Awaited<ReturnType<typeof vaultTerms>>): Wire<typeof VaultTerms> =>
  answer(VaultTerms, { ...terms, decimals: CRED_DECIMALS, generation: terms.keyVersion })

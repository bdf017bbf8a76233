import { type Cred, formatAmount } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { ApiError } from '../api-error.ts'
import type { Address } from '../solana/address.ts'
import { ownTokenAccount } from '../solana/cred-account.ts'
import { isVacant } from '../solana/programs/seeded-account.ts'
import type { SeededAccount } from '../solana/programs/system.ts'
import type { ChainAccount } from '../solana/token-state.ts'
import { findHireBudget, type HireBudget } from './budgets/budget-queries.ts'
import { type BudgetState, budgetAccount } from './chain/budget-account.ts'
import { type Collector, collectorAccount, collectorState, type PaymentKeys } from './chain/collector.ts'
import type { BuildDeps } from './chain-deps.ts'
import type { PaymentSettings } from './keys.ts'

/* Checks before a transaction is built. */

/** @throws ApiError wallet_not_eligible for the service's own wallets: one signer would be both parties */
export function requireEligible({ keyVersions, treasuryOwner }: PaymentSettings, wallet: Wallet): void {
  if ([...keyVersions.map(({ authority }) => authority), treasuryOwner].some((own) => own === wallet))
    throw new ApiError('wallet_not_eligible', 'The service’s own wallets cannot do this.')
}

/** @throws ApiError treasury_unavailable when nothing can be paid into the treasury */
export function requireTreasury(
  { mint, treasuryOwner }: PaymentSettings,
  account: ChainAccount | undefined,
): void {
  if (!ownTokenAccount(account, { owner: treasuryOwner, mint }))
    throw new ApiError(
      'treasury_unavailable',
      'The treasury’s token account cannot be paid now. The operator must fix this.',
      { retryAfterSeconds: 60 },
    )
}

/** @throws ApiError funds_short when a wallet's token account holds less */
export function requireFunds(
  account: ChainAccount | undefined,
  expected: { owner: Address; mint: Address },
  amount: Cred,
): void {
  const funds = ownTokenAccount(account, expected)?.amount ?? 0n
  if (funds < amount)
    throw new ApiError('funds_short', `Your token account holds ${formatAmount(funds as Cred)} CRED.`)
}

/** Returns the keys that open payout accounts. */
export function newestKeys({ keyVersions: [newest] }: PaymentSettings): PaymentKeys {
  if (newest) return newest
  throw new TypeError('PAYMENTS_AUTHORITY_ADDRESSES is empty')
}

/**
 * Finds a hire and the address of its budget account, which may not exist yet.
 * @throws ApiError hire_not_found
 */
export async function requireHireBudget(
  { db, now }: Pick<BuildDeps, 'db' | 'now'>,
  hirer: Wallet,
  hireId: string,
): Promise<HireBudget & { account: SeededAccount }> {
  const hire = await findHireBudget(db, { hireId, hirer, now })
  if (!hire) throw new ApiError('hire_not_found', 'You have no hire with this id.')
  return { ...hire, account: await budgetAccount(hirer, hire) }
}

/** @throws ApiError budget_frozen when the account is frozen, so that nothing can leave it */
export function requireThawed(state: BudgetState): void {
  if (state.kind === 'open' && state.isFrozen)
    throw new ApiError('budget_frozen', 'The mint’s freeze authority has frozen the budget account.')
}

/** Returns an owner's payout accounts by address, one for each key version, the newest first. */
export async function collectorsOf(
  { keyVersions }: PaymentSettings,
  owner: Address,
): Promise<Map<Address, PaymentKeys>> {
  const collectors = keyVersions.map(
    async (keys) => [(await collectorAccount(owner, keys.keyVersion)).address, keys] as const,
  )
  return new Map(await Promise.all(collectors))
}

/** Returns the key versions of an owner's payout accounts, by address. */
export const keyVersionsBy = (collectors: Map<Address, PaymentKeys>): Map<Address, number> =>
  new Map([...collectors].map(([address, { keyVersion }]) => [address, keyVersion]))

/**
 * Checks that an owner's payout account is open, so that a budget account may approve it: its signers are
 * exactly its owner and the service.
 * @throws ApiError collector_missing, collector_foreign
 */
export function requireCollector(account: ChainAccount | undefined, collector: Collector): void {
  const state = collectorState(account, collector)
  if (state === 'foreign')
    throw new ApiError(
      'collector_foreign',
      'The address of the owner’s payout account (the collector) holds another account. Do not approve it: its creator could collect alone.',
    )
  if (state === 'absent')
    throw new ApiError(
      'collector_missing',
      'The agent’s owner has not set up payouts (POST /payments/collectors), or not again since the service replaced its key.',
    )
}

/**
 * Checks whether a wallet's associated token account has to be created before the wallet is paid.
 * @throws ApiError payout_account_unusable when nothing can be paid into it
 */
export function payoutState(
  account: ChainAccount | undefined,
  expected: { owner: Address; mint: Address },
): 'open' | 'absent' {
  if (isVacant(account)) return 'absent'
  if (ownTokenAccount(account, expected)) return 'open'
  throw new ApiError(
    'payout_account_unusable',
    'Your associated token account belongs to somebody else or is frozen, so it cannot be paid.',
  )
}

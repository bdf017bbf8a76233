import { CRED_DECIMALS, type Cred } from '../../schema/amounts.ts'
import { ApiError } from '../api-error.ts'
import type { Address } from '../solana/address.ts'
import { ownTokenAccount } from '../solana/cred-account.ts'
import { associatedTokenAddress } from '../solana/programs/associated-token.ts'
import { type ChainAccount, decodeMint } from '../solana/token-state.ts'
import { TRANSACTION_LIFETIME_MS } from '../transactions/relay/limits.ts'
import { type Escrow, isServiceWallet } from './addresses.ts'
import { type VaultState, vaultState } from './chain-state.ts'
import type { Keyring } from './keyring.ts'
import { MAX_OPEN_POSITIONS, MAX_OPEN_STACKS, OPERATOR_RETRY_SECONDS } from './limits.ts'
import type { PositionRow } from './queries.ts'
import { isLocked, type Terms, termYield, unlocksAt } from './rules.ts'

/* Checks before a transaction is built. Each throws an ApiError that names the failed condition. */

/** @throws ApiError mint_not_supported unless the mint is the classic Token program's with CRED's decimals */
export function requireMint(mint: Address, account: ChainAccount | undefined): void {
  if (decodeMint(account)?.decimals === CRED_DECIMALS) return
  throw new ApiError(
    'mint_not_supported',
    `The mint ${mint} is not a classic Token program mint with ${CRED_DECIMALS} decimals.`,
    { retryAfterSeconds: OPERATOR_RETRY_SECONDS },
  )
}

/** @throws ApiError wallet_not_eligible for the authority, the treasury's account or the recovery key */
export async function requireEligible(owner: Address, { mint, current }: Keyring): Promise<void> {
  const treasury = await associatedTokenAddress(current.authority, mint)
  if (!isServiceWallet(owner, current, treasury)) return
  throw new ApiError('wallet_not_eligible', 'The service’s own wallets cannot stake.')
}

/** @throws ApiError too_many_open_stacks */
export function requireFewOpenStacks(openStacks: number): void {
  if (openStacks >= MAX_OPEN_STACKS) throw tooManyOpenStacks()
}

export const tooManyOpenStacks = () =>
  new ApiError(
    'too_many_open_stacks',
    `You have ${MAX_OPEN_STACKS} open stack transactions, the maximum. Try again when one has landed or expired.`,
    {
      retryAfterSeconds: TRANSACTION_LIFETIME_MS / 1000,
    },
  )

/** @throws ApiError quota_exceeded when open positions and open stacks reach MAX_OPEN_POSITIONS */
export function requirePositionQuota(openPositions: number, openStacks: number): void {
  if (openPositions + openStacks >= MAX_OPEN_POSITIONS) throw positionsFull()
}

export const positionsFull = () =>
  new ApiError(
    'quota_exceeded',
    `A wallet has at most ${MAX_OPEN_POSITIONS} open positions, including stacks that may still land. Withdraw one first.`,
  )

/** @throws ApiError yield_reserve_short unless the treasury holds the yield of the whole term */
export function requireReserve(
  treasury: ChainAccount | undefined,
  { keys, mint }: Escrow,
  terms: Terms,
): void {
  const reserve = ownTokenAccount(treasury, { owner: keys.authority, mint })?.amount ?? 0n
  if (reserve >= termYield(terms)) return
  throw new ApiError(
    'yield_reserve_short',
    'The treasury cannot fund the yield of this stake now. Stake less, or try later.',
    {
      retryAfterSeconds: OPERATOR_RETRY_SECONDS,
    },
  )
}

/** @throws ApiError vault_occupied when an account with other signers is at the vault's address */
export function requireVault(
  account: ChainAccount | undefined,
  escrow: Escrow,
): Exclude<VaultState, { kind: 'foreign' }> {
  const vault = vaultState(account, escrow)
  if (vault.kind !== 'foreign') return vault
  throw new ApiError('vault_occupied', 'The address of your vault holds an account with other signers.')
}

/** @throws ApiError position_not_found unless the owner has the position and it is not withdrawn */
export function requirePosition(positions: PositionRow[], id: number): PositionRow {
  const position = positions.find((row) => row.id === id)
  if (position) return position
  throw new ApiError('position_not_found', `You have no open position ${id}.`)
}

/** @throws ApiError position_locked */
export function requireUnlocked(terms: Terms, now: Date): void {
  if (!isLocked(terms, now)) return
  throw new ApiError('position_locked', `The position is locked until ${unlocksAt(terms).toISOString()}.`)
}

/**
 * @throws ApiError position_not_intact when the account holds less than the principal, or others can move it
 */
export function requireIntact({ principal }: PositionRow, held: Cred | undefined): Cred {
  if (held !== undefined && held >= principal) return held
  throw new ApiError('position_not_intact', 'The position’s account was emptied or changed on the chain.')
}

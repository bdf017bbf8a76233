import { type Cred, cred } from '../../../schema/amounts.ts'
import type { IntentFailure } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Address } from '../../solana/address.ts'
import type { CredAccount } from '../../solana/cred-account.ts'
import { type ChainAccount, decodeTokenAccount } from '../../solana/token-state.ts'
import { MIN_EXPIRY_AGE_MS } from '../../transactions/relay/limits.ts'
import { vaultAccount } from '../addresses.ts'
import { type EscrowVault, heldByVault, validPosition, vaultState } from '../chain-state.ts'
import type { EscrowSettings } from '../keyring.ts'
import type { Intent, PositionRow } from '../queries.ts'
import { type Position, type Terms, termYield } from '../rules.ts'
import { isAwaitingSignature, signedAt } from '../transactions/signing.ts'
import type { Outcome } from './settlement-queries.ts'

/** Accounts as read by one call, and the newest final block. */
type Snapshot = {
  slot: bigint
  accounts: Map<string, ChainAccount | undefined>
  finalized?: { slot: bigint; height: bigint } | undefined
}

/** An owner's vaults by key version. One of them may hold a position. */
export type VaultsByKeyVersion = Map<number, EscrowVault>

/** Derives the owner's vault for each key version of the settings. */
export async function vaultsByKeyVersion(
  owner: Wallet,
  { mint, keyVersions }: EscrowSettings,
): Promise<VaultsByKeyVersion> {
  const byKeyVersion = keyVersions.map(async (keys) => {
    const escrow = { owner, mint, keys }
    const { address } = await vaultAccount(escrow)
    return [keys.keyVersion, { escrow, vault: address }] as const
  })
  return new Map(await Promise.all(byKeyVersion))
}

/**
 * Returns the outcomes of open intents that the chain proves. An account at a position's address counts only
 * if the vault has exactly the service's signers, since an owner can create another multisig at the vault's
 * address. Both are read in one call. An intent without effect has expired if the finalized chain has passed
 * its last block and the accounts were read at that block or later. Other intents stay open, also intents of
 * a key version that the settings do not name.
 */
export function outcomesOf(
  intents: Intent[],
  positions: PositionRow[],
  snapshot: Snapshot,
  byKeyVersion: VaultsByKeyVersion,
): Outcome[] {
  return intents.flatMap((intent): Outcome[] => {
    const keyed = byKeyVersion.get(intent.keyVersion)
    // A node behind the slot of building can't show the outcome.
    if (!keyed || !isWatched(intent) || snapshot.slot < intent.builtSlot) return []
    const vault = vaultState(snapshot.accounts.get(keyed.vault), keyed.escrow)
    if (vault.kind === 'foreign') {
      // The intent fails only after its last block: a foreign account that is not a multisig can be closed
      // before.
      return hasExpired(intent, snapshot) ? [failed(intent, 'vault_foreign', keyed)] : []
    }
    const evidence = { intents, positions, snapshot, keyed, isVaultOpen: vault.kind === 'open' }
    const held = (address: Address) => validAccountOf(evidence, address)
    if (hasLanded(intent, evidence)) {
      const balances = intent.legs.map(({ address }) => ({
        address,
        balance: held(address)?.amount ?? cred(0n),
      }))
      return [{ kind: 'landed', intent, balances, slot: snapshot.slot }]
    }
    return hasExpired(intent, snapshot) ? [endedWithoutEffect(intent, evidence)] : []
  })
}

/** The evidence for an intent's outcome, besides the intent. */
type Evidence = {
  intents: Intent[]
  positions: PositionRow[]
  snapshot: Snapshot
  keyed: EscrowVault
  /** Whether the vault exists with exactly the service's signers. */
  isVaultOpen: boolean
}

const validAccountOf = (
  { snapshot, keyed, isVaultOpen }: Evidence,
  address: Address,
): CredAccount | undefined => (isVaultOpen ? validPosition(snapshot.accounts.get(address), keyed) : undefined)

/** Returns the principal of an open position; undefined if there is none at the address. */
const principalOf = ({ positions }: Evidence, address: Address): Cred | undefined =>
  positions.find((position) => position.address === address)?.principal

function hasLanded(intent: Intent, evidence: Evidence): boolean {
  const { snapshot, keyed, isVaultOpen } = evidence
  if (!isVaultOpen) return false
  if (intent.kind === 'stack') {
    return intent.legs.every(
      (leg) => (validAccountOf(evidence, leg.address)?.amount ?? -1n) >= wholeOf(intent, leg),
    )
  }
  if (intent.kind === 'open_vault') return true
  if (intent.kind === 'claim') return claimHasLanded(intent, evidence)
  // An absent account alone proves nothing, since a node of another cluster has none of the accounts. A vault
  // can't be closed. So if it exists, an absent position is gone. A position with less than its principal is
  // gone, too. A withdrawal may have left the account open because of donations. Its owner may have created
  // an account there again, or have withdrawn with the recovery key.
  return intent.legs.every(({ address, balanceBefore }) => {
    const account = heldByVault(snapshot.accounts.get(address), keyed)
    if (!account || intent.kind === 'leftovers') return !account
    // If the position was recorded as closed before, the amount of the withdrawal decides instead.
    return account.amount < (principalOf(evidence, address) ?? balanceBefore)
  })
}

/**
 * Checks whether a claim has been paid. It pays from all its positions or from none. While a position's
 * account has its principal, only its one open claim lowers its balance. So one lower balance is proof, even
 * if a donation hides another one. A withdrawal may leave an account open with less. For positions that were
 * withdrawn since, later withdrawals have recorded the balances.
 */
function claimHasLanded(claim: Intent, evidence: Evidence): boolean {
  const remaining = claim.legs.flatMap(({ address, balanceBefore }) => {
    const balance = validAccountOf(evidence, address)?.amount
    const principal = principalOf(evidence, address)
    return balance && principal && balance >= principal ? [balanceBefore - balance] : []
  })
  if (remaining.length > 0) return remaining.some((fall) => fall > 0n)
  const withdrawn = evidence.intents
    .filter(({ kind, createdAt }) => kind === 'unstack' && createdAt >= claim.createdAt)
    .flatMap(({ legs }) => legs)
  return claim.legs.some(({ address, balanceBefore }) =>
    withdrawn.some((leg) => leg.address === address && leg.balanceBefore < balanceBefore),
  )
}

/**
 * Returns the end of an intent without effect. A stack has failed if another account is at its position's
 * address. A donation has blocked a withdrawal if the account holds more than the withdrawal would have paid.
 */
function endedWithoutEffect(intent: Intent, evidence: Evidence): Outcome {
  const stands = intent.legs.some(({ address }) =>
    decodeTokenAccount(evidence.snapshot.accounts.get(address)),
  )
  if (intent.kind === 'stack' && stands) return failed(intent, 'position_foreign', evidence.keyed)
  const isBlocked = intent.legs.some(
    ({ address, balanceBefore }) => (validAccountOf(evidence, address)?.amount ?? 0n) > balanceBefore,
  )
  const { isVaultOpen } = evidence
  return {
    kind: 'expired',
    intent,
    isVaultOpen,
    isBlocked: intent.kind === 'unstack' && isBlocked,
  }
}

const failed = (intent: Intent, reason: IntentFailure, { escrow }: EscrowVault): Outcome => ({
  kind: 'failed',
  intent,
  reason,
  keys: escrow.keys,
})

/**
 * Checks whether a signed intent has expired. Unsigned ones end by their deadline: their blockhash may
 * change.
 */
const hasExpired = (intent: Intent, { slot, finalized }: Snapshot): boolean =>
  !isAwaitingSignature(intent) &&
  finalized !== undefined &&
  finalized.height > intent.lastValidBlockHeight &&
  slot >= finalized.slot

/** Checks whether a signed intent may have expired by `now`, so that the block height has to be read. */
export const mayHaveExpired = (intent: Intent, now: Date): boolean =>
  !isAwaitingSignature(intent) && now.getTime() - signedAt(intent).getTime() >= MIN_EXPIRY_AGE_MS

/**
 * Checks whether the chain can show the outcome of an intent: signed by the authority, or by its owner alone.
 */
export const isWatched = (intent: Intent): boolean =>
  !isAwaitingSignature(intent) || intent.kind === 'open_vault'

function termsOfIntent({ lockDays, apyBps, stakedAt }: Intent): Omit<Terms, 'amount'> {
  if (lockDays === null || apyBps === null || stakedAt === null) throw new Error('a stack without terms')
  return { lockDays, apyBps, stakedAt }
}

/** Returns the amount that a stack moves into its position: the principal and the whole term's yield. */
export const wholeOf = (stack: Intent, { amount }: Intent['legs'][number]): Cred =>
  cred(amount + termYield({ ...termsOfIntent(stack), amount }))

/** Returns the terms of a recorded position. */
export const termsOf = ({ principal, lockDays, apyBps, stakedAt }: PositionRow): Terms => ({
  amount: principal,
  lockDays,
  apyBps,
  stakedAt,
})

/** Joins a recorded position with a balance of its account. */
export const positionOf = (row: PositionRow, balance: Cred): Position => ({
  ...termsOf(row),
  balance,
  claimed: row.claimed,
})

import { type Cred, cred } from '../../../schema/amounts.ts'
import type { IntentFailure } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Address } from '../../solana/address.ts'
import type { CredAccount } from '../../solana/cred-account.ts'
import { type ChainAccount, decodeTokenAccount } from '../../solana/token-state.ts'
import { MIN_EXPIRY_AGE_MS } from '../../transactions/relay/limits.ts'
import { type Escrow, vaultAccount } from '../addresses.ts'
import { heldByVault, soundPosition, vaultState } from '../chain-state.ts'
import type { EscrowSettings } from '../keyring.ts'
import type { Intent, PositionRow } from '../queries.ts'
import { type Position, type Terms, termYield } from '../rules.ts'
import { isAwaitingSignature, signedAt } from '../transactions/signing.ts'
import type { Outcome } from './settlement-queries.ts'

/** Accounts as one call showed them, and the newest block that is known to be final. */
type Snapshot = {
  slot: bigint
  accounts: Map<string, ChainAccount | undefined>
  finalized?: { slot: bigint; height: bigint } | undefined
}

/** An owner's vault in one key generation. */
export type Holder = { escrow: Escrow; vault: Address }

/** An owner's vaults by generation: one of these may hold a position. */
export type Holders = Map<number, Holder>

/** Derives the owner's vault in each key generation that the settings name. */
export async function holdersOf(owner: Wallet, { mint, generations }: EscrowSettings): Promise<Holders> {
  const holders = generations.map(async (keys) => {
    const escrow = { owner, mint, keys }
    const { address } = await vaultAccount(escrow)
    return [keys.generation, { escrow, vault: address }] as const
  })
  return new Map(await Promise.all(holders))
}

/**
 * Decides what became of open intents, as far as the chain shows it. Whatever stands at a position's address
 * counts only under a vault of exactly the service's signers, read in the same call: an owner can make
 * another multisig at the vault's address. An intent that shows no effect has expired only if the finalized
 * chain has passed its last block and the accounts were read at that block or later; else it stays open, as
 * does one of a generation that the settings do not name.
 */
export function outcomesOf(
  intents: Intent[],
  positions: PositionRow[],
  snapshot: Snapshot,
  holders: Holders,
): Outcome[] {
  return intents.flatMap((intent): Outcome[] => {
    const holder = holders.get(intent.generation)
    // A node that is behind what the intent was built from can't show what became of it.
    if (!holder || !isWatched(intent) || snapshot.slot < intent.builtSlot) return []
    const vault = vaultState(snapshot.accounts.get(holder.vault), holder.escrow)
    if (vault.kind === 'foreign') {
      // It fails once nothing can land any more: a foreign account that is no multisig can be closed before.
      return hasExpired(intent, snapshot) ? [failed(intent, 'vault_foreign', holder)] : []
    }
    const evidence = { intents, positions, snapshot, holder, isVaultOpen: vault.kind === 'open' }
    const held = (address: Address) => soundOf(evidence, address)
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

/** What an intent's outcome is read from, beside the intent. */
type Evidence = {
  intents: Intent[]
  positions: PositionRow[]
  snapshot: Snapshot
  holder: Holder
  /** Whether the vault stands with exactly the service's signers. */
  isVaultOpen: boolean
}

const soundOf = (
  { snapshot, holder: { escrow, vault }, isVaultOpen }: Evidence,
  address: Address,
): CredAccount | undefined =>
  isVaultOpen ? soundPosition(snapshot.accounts.get(address), { vault, mint: escrow.mint }) : undefined

function hasLanded(intent: Intent, evidence: Evidence): boolean {
  const { positions, snapshot, holder, isVaultOpen } = evidence
  if (!isVaultOpen) return false
  if (intent.kind === 'stack') {
    return intent.legs.every((leg) => (soundOf(evidence, leg.address)?.amount ?? -1n) >= wholeOf(intent, leg))
  }
  if (intent.kind === 'open_vault') return true
  if (intent.kind === 'claim') return claimHasLanded(intent, evidence)
  // An absent account alone proves nothing: on a node of another cluster every account is absent. A vault
  // can't be closed, so where it exists, a position absent beside it is gone. One with less than its
  // principal counts as gone, too: a withdrawal may leave its account open for what others sent to it, its
  // owner may have made an account there again, or have withdrawn with the recovery key.
  return intent.legs.every(({ address, balanceBefore }) => {
    const account = heldByVault(snapshot.accounts.get(address), holder.vault)
    if (!account || intent.kind === 'leftovers') return !account
    // Of a position that was recorded as closed before, what the withdrawal would have taken tells the same.
    const { principal } = positions.find((position) => position.address === address) ?? {}
    return account.amount < (principal ?? balanceBefore)
  })
}

/**
 * Whether a claim has been paid. It pays from all its positions or from none, and nothing but a position's
 * one open claim lowers its balance short of closing the account. So one balance that fell is proof, even if
 * a donation hides the fall of another. What positions withdrawn since had held is told by the withdrawals
 * built after the claim.
 */
function claimHasLanded(claim: Intent, evidence: Evidence): boolean {
  const standing = claim.legs.flatMap(({ address, balanceBefore }) => {
    const balance = soundOf(evidence, address)?.amount
    return balance === undefined ? [] : [balanceBefore - balance]
  })
  if (standing.length > 0) return standing.some((fall) => fall > 0n)
  const withdrawn = evidence.intents
    .filter(({ kind, createdAt }) => kind === 'unstack' && createdAt >= claim.createdAt)
    .flatMap(({ legs }) => legs)
  return claim.legs.some(({ address, balanceBefore }) =>
    withdrawn.some((leg) => leg.address === address && leg.balanceBefore < balanceBefore),
  )
}

/**
 * How an intent without effect ends. Where something else stands at the address of a stack's position, it
 * has failed; a withdrawal whose account holds more than it would have paid was spoilt by a gift.
 */
function endedWithoutEffect(intent: Intent, evidence: Evidence): Outcome {
  const stands = intent.legs.some(({ address }) =>
    decodeTokenAccount(evidence.snapshot.accounts.get(address)),
  )
  if (intent.kind === 'stack' && stands) return failed(intent, 'position_foreign', evidence.holder)
  const isSpoilt = intent.legs.some(
    ({ address, balanceBefore }) => (soundOf(evidence, address)?.amount ?? 0n) > balanceBefore,
  )
  const { isVaultOpen } = evidence
  return { kind: 'expired', intent, isVaultOpen, isSpoilt: intent.kind === 'unstack' && isSpoilt }
}

const failed = (intent: Intent, reason: IntentFailure, { escrow }: Holder): Outcome => ({
  kind: 'failed',
  intent,
  reason,
  keys: escrow.keys,
})

/** What is not signed ends by its deadline alone: a wallet may still give it another blockhash. */
const hasExpired = (intent: Intent, { slot, finalized }: Snapshot): boolean =>
  !isAwaitingSignature(intent) &&
  finalized !== undefined &&
  finalized.height > intent.lastValidBlockHeight &&
  slot >= finalized.slot

/** Whether a signed intent may have expired by `now`, so that the block height is worth asking for. */
export const mayHaveExpired = (intent: Intent, now: Date): boolean =>
  !isAwaitingSignature(intent) && now.getTime() - signedAt(intent).getTime() >= MIN_EXPIRY_AGE_MS

/** Whether the chain can show what became of an intent: of what the authority has not signed, nothing. */
export const isWatched = (intent: Intent): boolean =>
  !isAwaitingSignature(intent) || intent.kind === 'open_vault'

function termsOfIntent({ lockDays, apyBps, stakedAt }: Intent): Omit<Terms, 'amount'> {
  if (lockDays === null || apyBps === null || stakedAt === null) throw new Error('a stack without terms')
  return { lockDays, apyBps, stakedAt }
}

/** What a stack puts into its position's account: the principal and the yield of the whole term. */
export const wholeOf = (stack: Intent, { amount }: Intent['legs'][number]): Cred =>
  cred(amount + termYield({ ...termsOfIntent(stack), amount }))

/** Takes the staking terms of a recorded position. */
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

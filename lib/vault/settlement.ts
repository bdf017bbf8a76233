import type { Address } from '../../schema/address.ts'
import { type Cred, cred } from '../../schema/amounts.ts'
import { type ChainAccount, decodeTokenAccount } from '../solana/token-state.ts'
import { type CredAccount, isVaultOf, soundPosition } from './chain-state.ts'
import { MIN_EXPIRY_AGE_MS } from './limits.ts'
import type { Intent, PositionRow } from './queries.ts'
import { type Position, type Terms, termYield } from './rules.ts'
import type { Outcome } from './settlement-queries.ts'

/** Accounts as one call showed them, and the newest block that is known to be final. */
type Sighting = {
  slot: bigint
  accounts: Map<string, ChainAccount | undefined>
  finalized?: { slot: bigint; height: bigint } | undefined
}

/** What makes an account a position: the vault of each key generation that holds it, and the mint. */
export type Holders = { mint: Address; vaults: Map<number, Address> }

/**
 * Decides what became of open intents, as far as the chain shows it. An intent that shows no effect has
 * expired only if the finalized chain has passed its last block and the accounts were read at that block or
 * later; else it stays open.
 */
export function outcomesOf(
  intents: Intent[],
  positions: PositionRow[],
  sighting: Sighting,
  holders: Holders,
): Outcome[] {
  return intents.flatMap((intent): Outcome[] => {
    // A node that is behind what the intent was built from can't show what became of it.
    if (sighting.slot < intent.builtSlot) return []
    const held = (address: Address) => heldBy(intent.generation, address, sighting, holders)
    if (hasLanded(intent, { intents, positions, held, sighting, holders })) {
      const balances = intent.legs.map(({ address }) => ({
        address,
        balance: held(address)?.amount ?? cred(0n),
      }))
      return [{ kind: 'landed', intent, balances, slot: sighting.slot }]
    }
    return hasExpired(intent, sighting) ? [{ kind: 'expired', intent }] : []
  })
}

/** What an intent's outcome is read from, beside the intent. */
type Evidence = {
  intents: Intent[]
  positions: PositionRow[]
  held: (address: Address) => CredAccount | undefined
  sighting: Sighting
  holders: Holders
}

function hasLanded(intent: Intent, { intents, positions, held, sighting, holders }: Evidence): boolean {
  if (intent.kind === 'stack') {
    const terms = termsOfIntent(intent)
    return intent.legs.every(({ address, amount }) => {
      const due = amount + termYield({ ...terms, amount })
      return (held(address)?.amount ?? -1n) >= due
    })
  }
  if (intent.kind === 'claim') {
    return claimHasLanded(intent, intents, held)
  }
  // An absent account alone proves nothing: on a node of another cluster every account is absent. A vault
  // can't be closed, so where it exists, a position absent beside it is gone. One with less than its
  // principal counts as gone: its owner may have made an account there again, or have withdrawn with the
  // recovery key.
  const { accounts } = sighting
  const vault = holders.vaults.get(intent.generation)
  if (!vault || !isVaultOf(accounts.get(vault), intent.owner)) return false
  return intent.legs.every(({ address }) => {
    const principal = positions.find((position) => position.address === address)?.principal ?? 0n
    const account = decodeTokenAccount(accounts.get(address))
    return account?.owner !== vault || account.amount < principal
  })
}

/**
 * Whether a claim has been paid. It pays from all its positions or from none, and nothing but a position's
 * one open claim lowers its balance short of closing the account. So one balance that fell is proof, even if
 * a donation hides the fall of another. What positions withdrawn since had held is told by the withdrawals
 * built after the claim.
 */
function claimHasLanded(
  claim: Intent,
  intents: Intent[],
  held: (address: Address) => CredAccount | undefined,
): boolean {
  const standing = claim.legs.flatMap(({ address, balanceBefore }) => {
    const balance = held(address)?.amount
    return balance === undefined ? [] : [balanceBefore - balance]
  })
  if (standing.length > 0) return standing.some((fall) => fall > 0n)
  const withdrawn = intents
    .filter(({ kind, createdAt }) => kind === 'unstack' && createdAt >= claim.createdAt)
    .flatMap(({ legs }) => legs)
  return claim.legs.some(({ address, balanceBefore }) =>
    withdrawn.some((leg) => leg.address === address && leg.balanceBefore < balanceBefore),
  )
}

const hasExpired = (intent: Intent, { slot, finalized }: Sighting): boolean =>
  finalized !== undefined && finalized.height > intent.lastValidBlockHeight && slot >= finalized.slot

/** Whether an intent may have expired by `now`, so that the block height is worth asking for. */
export const mayHaveExpired = (intent: Intent, now: Date): boolean =>
  now.getTime() - intent.createdAt.getTime() >= MIN_EXPIRY_AGE_MS

function heldBy(
  generation: number,
  address: Address,
  { accounts }: Sighting,
  { mint, vaults }: Holders,
): CredAccount | undefined {
  const vault = vaults.get(generation)
  return vault && soundPosition(accounts.get(address), { vault, mint })
}

function termsOfIntent({ lockDays, apyBps, stakedAt }: Intent): Omit<Terms, 'amount'> {
  if (lockDays === null || apyBps === null || stakedAt === null) throw new Error('a stack without terms')
  return { lockDays, apyBps, stakedAt }
}

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

import type { Address } from '../solana/address.ts'
import { associatedTokenAddress } from '../solana/associated-token.ts'
import type { Blockhash, Rpc } from '../solana/rpc.ts'
import type { ChainAccount } from '../solana/token-state.ts'
import { type Escrow, vaultAccount } from './addresses.ts'
import { type CredAccount, soundPosition, vaultState } from './chain-state.ts'
import type { PositionRow } from './queries.ts'
import { RENT_SYSVAR, type Rents, rentsOf } from './rents.ts'
import { isRemarkable, type Sighting, sightingOf } from './sighting.ts'

/* Reading the chain for what is to be built. Nothing is recorded here. */

/** What building needs of the chain: the slot at which the accounts were read, and a recent blockhash. */
export type ChainView = { slot: bigint; blockhash: Blockhash; rents: Rents }

/**
 * How many accounts {@link lookUpPositions} asks for beside the positions: vault, owner's tokens, Rent
 * sysvar.
 */
export const ACCOUNTS_BESIDE_POSITIONS = 3

/**
 * Reads a blockhash, these accounts and the rents, in two calls at the same time.
 * @param minSlot what the node must have reached
 * @throws Refusal dependency_unavailable
 */
export async function lookUp<Name extends string>(
  { rpc }: { rpc: Rpc },
  addresses: Record<Name, Address>,
  minSlot?: bigint,
): Promise<ChainView & { accounts: Record<Name, ChainAccount | undefined> }> {
  const names = Object.keys(addresses) as Name[]
  const [blockhash, seen] = await Promise.all([
    rpc.latestBlockhash(),
    rpc.accounts(
      [...names.map((name) => addresses[name]), RENT_SYSVAR],
      minSlot === undefined ? {} : { minSlot },
    ),
  ])
  const accounts = Object.fromEntries(names.map((name, i) => [name, seen.accounts[i]]))
  return {
    slot: seen.slot,
    blockhash,
    accounts: accounts as Record<Name, ChainAccount | undefined>,
    rents: rentsOf(seen.accounts.at(-1)),
  }
}

/** What building a payout needs of the chain. */
export type PositionsView = ChainView & {
  /** What stands at the owner's associated token address. */
  ownerTokens: ChainAccount | undefined
  /** Each position's token account; undefined if it is not one that only the service's vault can move. */
  positions: Map<Address, CredAccount | undefined>
  /** What has to be recorded before anything else: positions that are gone, void, or paid out of early. */
  remarkable: Sighting[]
}

/**
 * Reads the owner's token account and those of positions.
 * @throws Refusal dependency_unavailable
 */
export async function lookUpPositions(
  deps: { rpc: Rpc; now: Date },
  escrow: Escrow,
  rows: PositionRow[],
): Promise<PositionsView> {
  const { now } = deps
  const { address: vault } = await vaultAccount(escrow)
  const addresses: Record<string, Address> = {
    vault,
    ownerTokens: await associatedTokenAddress(escrow.owner, escrow.mint),
    ...Object.fromEntries(rows.map(({ address }) => [address, address])),
  }
  // A node that has not yet seen what is recorded would show payouts undone and new positions absent.
  const lastSeen = rows.reduce((last, { seenSlot }) => (seenSlot > last ? seenSlot : last), 0n)
  const { accounts, ...view } = await lookUp(deps, addresses, lastSeen)
  const accountAt = (address: Address) => (address === vault ? accounts.vault : accounts[address])
  const sightings = rows.flatMap((row) => sightingOf(row, { escrow, vault }, accountAt, now) ?? [])
  const isOpen = vaultState(accounts.vault, escrow).kind === 'open'
  const sound = (address: Address) =>
    isOpen ? soundPosition(accounts[address], { vault, mint: escrow.mint }) : undefined
  return {
    ...view,
    ownerTokens: accounts.ownerTokens,
    positions: new Map(rows.map(({ address }) => [address, sound(address)])),
    remarkable: sightings.filter(isRemarkable),
  }
}

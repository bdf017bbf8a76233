import type { Address } from '../solana/address.ts'
import { associatedTokenAddress } from '../solana/associated-token.ts'
import type { Blockhash, Rpc } from '../solana/rpc.ts'
import { type ChainAccount, decodeTokenAccount } from '../solana/token-state.ts'
import { type Escrow, vaultAccount } from './addresses.ts'
import { type CredAccount, isVaultOf, soundPosition } from './chain-state.ts'
import type { PositionRow } from './queries.ts'
import { RENT_SYSVAR, type Rents, rentsOf } from './rents.ts'

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
  /** Each position's token account; undefined if it is not one that only the vault's signers can move. */
  positions: Map<Address, CredAccount | undefined>
  /** Positions that the vault no longer holds: withdrawn by the recovery key. */
  gone: Address[]
}

/**
 * Reads the owner's token account and those of positions.
 * @throws Refusal dependency_unavailable
 */
export async function lookUpPositions(
  deps: { rpc: Rpc },
  escrow: Escrow,
  rows: PositionRow[],
): Promise<PositionsView> {
  const { address: vault } = await vaultAccount(escrow)
  const addresses: Record<string, Address> = {
    vault,
    ownerTokens: await associatedTokenAddress(escrow.owner, escrow.mint),
    ...Object.fromEntries(rows.map(({ address }) => [address, address])),
  }
  // A node that has not yet seen what is recorded would show payouts undone and new positions absent.
  const lastSeen = rows.reduce((last, { seenSlot }) => (seenSlot > last ? seenSlot : last), 0n)
  const { accounts, ...view } = await lookUp(deps, addresses, lastSeen)
  const expected = { vault, mint: escrow.mint }
  // A vault can't be closed: where it stands, this is the right chain, and what is absent beside it is gone.
  const gone = isVaultOf(accounts.vault, escrow.owner)
    ? rows.filter((row) => !isHeld(row, accounts[row.address], vault)).map(({ address }) => address)
    : []
  return {
    ...view,
    ownerTokens: accounts.ownerTokens,
    positions: new Map(rows.map(({ address }) => [address, soundPosition(accounts[address], expected)])),
    gone,
  }
}

/** Whether the vault still holds a position's principal. */
function isHeld({ principal }: PositionRow, account: ChainAccount | undefined, vault: Address): boolean {
  const token = decodeTokenAccount(account)
  return token?.owner === vault && token.amount >= principal
}

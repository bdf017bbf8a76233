import type { Address } from '../../solana/address.ts'
import type { CredAccount } from '../../solana/cred-account.ts'
import { type ChainView, lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import type { Rpc } from '../../solana/rpc.ts'
import type { ChainAccount } from '../../solana/token-state.ts'
import { type Escrow, vaultAccount } from '../addresses.ts'
import { isActionable, type Observation, observationOf } from '../breaker/observation.ts'
import { soundPosition, vaultState } from '../chain-state.ts'
import type { PositionRow } from '../queries.ts'

/* Reading the chain for a payout that is to be built. Nothing is recorded here. */

/**
 * How many accounts {@link lookUpPositions} asks for beside the positions: vault, owner's tokens, Rent
 * sysvar.
 */
export const ACCOUNTS_BESIDE_POSITIONS = 3

/** What building a payout needs of the chain. */
export type PositionsView = ChainView & {
  /** When the chain had answered. */
  seenAt: Date
  /** What stands at the owner's associated token address. */
  ownerTokens: ChainAccount | undefined
  /** Each position's token account; undefined if it is not one that only the service's vault can move. */
  positions: Map<Address, CredAccount | undefined>
  /** What has to be recorded before anything else: positions that are gone, void, or paid out of early. */
  actionable: Observation[]
}

/**
 * Reads the token accounts of the owner and of positions.
 * @throws ApiError dependency_unavailable
 */
export async function lookUpPositions(
  deps: { rpc: Rpc; clock(): Date },
  escrow: Escrow,
  rows: PositionRow[],
): Promise<PositionsView> {
  const { address: vault } = await vaultAccount(escrow)
  const addresses: Record<string, Address> = {
    vault,
    ownerTokens: await associatedTokenAddress(escrow.owner, escrow.mint),
    ...Object.fromEntries(rows.map(({ address }) => [address, address])),
  }
  // A node behind the slot at which a position was last seen would show payouts undone and new positions
  // absent.
  const lastSeen = rows.reduce((last, { seenSlot }) => (seenSlot > last ? seenSlot : last), 0n)
  const { accounts, ...view } = await lookUp(deps, addresses, lastSeen)
  const seenAt = deps.clock()
  const accountAt = (address: Address) => (address === vault ? accounts.vault : accounts[address])
  const observations = rows.flatMap((row) => observationOf(row, { escrow, vault }, accountAt, seenAt) ?? [])
  const isOpen = vaultState(accounts.vault, escrow).kind === 'open'
  const sound = (address: Address) =>
    isOpen ? soundPosition(accounts[address], { vault, mint: escrow.mint }) : undefined
  return {
    ...view,
    seenAt,
    ownerTokens: accounts.ownerTokens,
    positions: new Map(rows.map(({ address }) => [address, sound(address)])),
    actionable: observations.filter(isActionable),
  }
}

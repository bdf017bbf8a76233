import type { Address } from '../../solana/address.ts'
import type { CredAccount } from '../../solana/cred-account.ts'
import { type ChainView, lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import type { Rpc } from '../../solana/rpc.ts'
import type { ChainAccount } from '../../solana/token-state.ts'
import { type Escrow, vaultAccount } from '../addresses.ts'
import { isActionable, type Observation, observationOf } from '../breaker/observation.ts'
import { validPosition, vaultState } from '../chain-state.ts'
import type { PositionRow } from '../queries.ts'

/* Reads the chain before a payout is built. Records nothing. */

/**
 * The number of accounts that {@link lookUpPositions} reads besides the positions: the vault, the owner's
 * tokens, the Rent sysvar.
 */
export const ACCOUNTS_BESIDE_POSITIONS = 3

/** The state of the chain that building a payout needs. */
export type PositionsView = ChainView & {
  /** The time after the answer of the chain. */
  seenAt: Date
  /** The account at the owner's associated token address. */
  ownerTokens: ChainAccount | undefined
  /** Each position's token account; undefined unless only the service's vault can move it. */
  positions: Map<Address, CredAccount | undefined>
  /** Observations to record first: positions that are gone, void, or had an early payout. */
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
  // A node behind the slot at which a position was last seen would show old balances, and miss new positions.
  const lastSeen = rows.reduce((last, { seenSlot }) => (seenSlot > last ? seenSlot : last), 0n)
  const { accounts, ...view } = await lookUp(deps, addresses, lastSeen)
  const seenAt = deps.clock()
  const accountAt = (address: Address) => (address === vault ? accounts.vault : accounts[address])
  const observations = rows.flatMap((row) => observationOf(row, { escrow, vault }, accountAt, seenAt) ?? [])
  const isOpen = vaultState(accounts.vault, escrow).kind === 'open'
  const valid = (address: Address) =>
    isOpen ? validPosition(accounts[address], { escrow, vault }) : undefined
  return {
    ...view,
    seenAt,
    ownerTokens: accounts.ownerTokens,
    positions: new Map(rows.map(({ address }) => [address, valid(address)])),
    actionable: observations.filter(isActionable),
  }
}

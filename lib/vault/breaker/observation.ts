import { type Cred, cred } from '../../../schema/amounts.ts'
import type { PositionStatus } from '../../../schema/values.ts'
import type { Address } from '../../../schema/wallet.ts'
import type { ChainAccount } from '../../solana/token-state.ts'
import type { VaultKeys } from '../addresses.ts'
import { type EscrowVault, heldByVault, vaultState } from '../chain-state.ts'
import type { PositionRow } from '../queries.ts'
import { isPaidPrematurely } from '../rules.ts'
import { positionOf } from '../settlement/settlement.ts'

/** An observation of an open position by one read of the chain. */
export type Observation = {
  row: PositionRow
  status: PositionStatus
  balance: Cred
  /** Whether more was paid out of it than had accrued. */
  isEarly: boolean
  /** The vault's addresses by the settings. Without them no position becomes void. */
  keys?: VaultKeys
}

/**
 * Returns the observation of an open position, from its account and the vault's in one read. Undefined if
 * both are absent: a vault can't be closed, so the node is of another cluster.
 */
export function observationOf(
  row: PositionRow,
  keyed: EscrowVault,
  accountAt: (address: Address) => ChainAccount | undefined,
  seenAt: Date,
): Observation | undefined {
  const { escrow, vault } = keyed
  const { kind } = vaultState(accountAt(vault), escrow)
  const held = heldByVault(accountAt(row.address), keyed)
  const balance = held?.amount ?? cred(0n)
  if (kind === 'absent' && !held) return undefined
  if (kind !== 'open') return { row, status: 'void', balance, isEarly: false, keys: escrow.keys }
  const isEarly = isPaidPrematurely(positionOf(row, balance), seenAt)
  // A position with less than its principal is gone: its owner may have created an account there again.
  if (balance < row.principal) return { row, status: 'withdrawn', balance: cred(0n), isEarly }
  return { row, status: 'open', balance, isEarly }
}

/** Checks whether the request that made an observation has to record it at once. */
export const isActionable = ({ row, status, isEarly }: Observation): boolean =>
  status !== 'open' || (isEarly && (row.early === null || row.early === 'confirmed'))

/** Makes the observation of a position that could not be read. It records only the time of the attempt. */
export const unreadable = (row: PositionRow): Observation => ({
  row,
  status: 'open',
  balance: row.escrowed,
  isEarly: false,
})

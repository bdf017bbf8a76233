import { type Cred, cred } from '../../../schema/amounts.ts'
import type { PositionStatus } from '../../../schema/values.ts'
import type { Address } from '../../../schema/wallet.ts'
import type { ChainAccount } from '../../solana/token-state.ts'
import type { VaultKeys } from '../addresses.ts'
import { heldByVault, vaultState } from '../chain-state.ts'
import type { PositionRow } from '../queries.ts'
import { isPaidEarly } from '../rules.ts'
import { type Holder, positionOf } from '../settlement/settlement.ts'

/** What one look at an open position has shown. */
export type Observation = {
  row: PositionRow
  status: PositionStatus
  balance: Cred
  /** Whether more was paid out of it than had accrued. */
  isEarly: boolean
  /** The addresses that the vault should have, by the settings: without them nothing is held to be void. */
  keys?: VaultKeys
}

/**
 * Tells what became of an open position, from its account and the vault's in one read. Undefined where both
 * are absent: a vault can't be closed, so that node is of another cluster.
 */
export function observationOf(
  row: PositionRow,
  { escrow, vault }: Holder,
  accountAt: (address: Address) => ChainAccount | undefined,
  seenAt: Date,
): Observation | undefined {
  const { kind } = vaultState(accountAt(vault), escrow)
  const held = heldByVault(accountAt(row.address), vault)
  const balance = held?.amount ?? cred(0n)
  if (kind === 'absent' && !held) return undefined
  if (kind !== 'open') return { row, status: 'void', balance, isEarly: false, keys: escrow.keys }
  const isEarly = isPaidEarly(positionOf(row, balance), seenAt)
  // One with less than its principal is gone: its owner may have made an account there again.
  if (balance < row.principal) return { row, status: 'withdrawn', balance: cred(0n), isEarly }
  return { row, status: 'open', balance, isEarly }
}

/** Whether an observation has to be recorded at once, by the request that made it. */
export const isActionable = ({ row, status, isEarly }: Observation): boolean =>
  status !== 'open' || (isEarly && (row.early === null || row.early === 'confirmed'))

/** What is recorded of a position that could not be seen: nothing but that it was its turn. */
export const unseen = (row: PositionRow): Observation => ({
  row,
  status: 'open',
  balance: row.escrowed,
  isEarly: false,
})

import type { Address, Wallet } from '../../schema/wallet.ts'
import { ApiError } from '../api-error.ts'
import { vaultAccount } from './addresses.ts'
import type { SettleDeps } from './deps.ts'
import { type RecordedVault, readVault } from './queries.ts'
import { settle } from './settlement/settle.ts'

/**
 * Reads an owner's vault. Settles open intents first if this caller gets the lease to ask the chain. While
 * the chain can't be reached, returns the last recorded state.
 * @throws ApiError vault_not_found before the first position
 */
export async function openVault(
  deps: SettleDeps,
  owner: Wallet,
): Promise<RecordedVault & { owner: Wallet; address: Address }> {
  const vault = await settledVault(deps, owner)
  if (!vault.exists) throw new ApiError('vault_not_found', 'This wallet has no vault yet.')
  // The vault of the newest position. New positions are in the vault of the newest key version.
  const keyVersion = vault.positions.at(-1)?.keyVersion ?? deps.escrow.current.keyVersion
  const { address } = await vaultAccount({ owner, keys: { keyVersion } })
  return { ...vault, owner, address }
}

/** Reads the recorded vault. Settles open intents first if this caller gets the lease to ask the chain. */
export async function settledVault(deps: SettleDeps, owner: Wallet): Promise<RecordedVault> {
  const { lease, ...recorded } = await readVault(deps.db, owner, deps.now)
  if (!lease) return recorded
  try {
    return await settle(deps, owner, recorded)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'dependency_unavailable') return recorded
    throw error
  }
}

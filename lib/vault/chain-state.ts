import { type Lamports, lamports } from '../../schema/amounts.ts'
import type { Address } from '../solana/address.ts'
import { type CredAccount, credAccount } from '../solana/cred-account.ts'
import { isVacant } from '../solana/programs/seeded-account.ts'
import { type ChainAccount, decodeTokenAccount, isMultisigOf } from '../solana/token-state.ts'
import { type Escrow, REQUIRED_SIGNERS, vaultSigners } from './addresses.ts'

/** An owner's vault of one key version. */
export type EscrowVault = { escrow: Escrow; vault: Address }

/**
 * The account at a vault's address, which only the owner can create. `absent`: no account, but perhaps
 * lamports. `open`: the vault. `foreign`: another account, such as a multisig with other signers. No position
 * may be opened under it: its signers could withdraw principal and yield at once, without the service.
 */
export type VaultState = { kind: 'absent'; lamports: Lamports } | { kind: 'open' } | { kind: 'foreign' }

/** Returns the state of the account at a vault's address. */
export function vaultState(account: ChainAccount | undefined, escrow: Escrow): VaultState {
  if (isVacant(account)) return { kind: 'absent', lamports: lamports(account?.lamports ?? 0n) }
  return { kind: isMultisigOf(account, REQUIRED_SIGNERS, vaultSigners(escrow)) ? 'open' : 'foreign' }
}

/**
 * Reads an account of the staking token that the vault owns, whatever its delegate, close authority or state.
 * Undefined for an account of another mint: after a withdrawal the owner can create one at the same address,
 * with any amount of worthless tokens.
 */
export function heldByVault(
  account: ChainAccount | undefined,
  { escrow, vault }: EscrowVault,
): CredAccount | undefined {
  const token = decodeTokenAccount(account)
  return token?.owner === vault && token.mint === escrow.mint ? credAccount(token) : undefined
}

/**
 * Reads the position in an account that only the vault's signers can move: owned by the vault, of the right
 * mint, without delegate or close authority. A frozen account is a position, too, since the mint's freeze
 * authority may thaw it.
 */
export function validPosition(
  account: ChainAccount | undefined,
  keyed: EscrowVault,
): CredAccount | undefined {
  const position = heldByVault(account, keyed)
  return position?.delegate || position?.closeAuthority ? undefined : position
}

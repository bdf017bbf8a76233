import { type Lamports, lamports } from '../../schema/amounts.ts'
import type { Address } from '../solana/address.ts'
import { type CredAccount, credAccount } from '../solana/cred-account.ts'
import { isVacant } from '../solana/programs/seeded-account.ts'
import { type ChainAccount, decodeTokenAccount, isMultisigOf } from '../solana/token-state.ts'
import { type Escrow, REQUIRED_SIGNERS, vaultSigners } from './addresses.ts'

/**
 * The account at a vault's address. `absent`: no account, but perhaps lamports. `foreign`: another account
 * that the owner created there, such as a multisig with other signers. No position may be opened under it.
 */
export type VaultState = { kind: 'absent'; lamports: Lamports } | { kind: 'open' } | { kind: 'foreign' }

/** Returns the state of the account at a vault's address. */
export function vaultState(account: ChainAccount | undefined, escrow: Escrow): VaultState {
  if (isVacant(account)) return { kind: 'absent', lamports: lamports(account?.lamports ?? 0n) }
  return { kind: isMultisigOf(account, REQUIRED_SIGNERS, vaultSigners(escrow)) ? 'open' : 'foreign' }
}

/** Reads a token account that this vault owns, also after other changes; undefined if it owns none. */
export function heldByVault(account: ChainAccount | undefined, vault: Address): CredAccount | undefined {
  const token = decodeTokenAccount(account)
  return token?.owner === vault ? credAccount(token) : undefined
}

/**
 * Reads the position in an account that only the vault's signers can move: owned by the vault, of the right
 * mint, without delegate or close authority. A frozen account is a position, too, since the mint's freeze
 * authority may thaw it.
 */
export function validPosition(
  account: ChainAccount | undefined,
  expected: { vault: Address; mint: Address },
): CredAccount | undefined {
  const position = decodeTokenAccount(account)
  if (position?.mint !== expected.mint || position.owner !== expected.vault) return undefined
  return position.delegate || position.closeAuthority ? undefined : credAccount(position)
}

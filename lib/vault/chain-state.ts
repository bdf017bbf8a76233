import { type Lamports, lamports } from '../../schema/amounts.ts'
import type { Address } from '../solana/address.ts'
import { type CredAccount, credAccount } from '../solana/cred-account.ts'
import { isVacant } from '../solana/programs/seeded-account.ts'
import { type ChainAccount, decodeTokenAccount, isMultisigOf } from '../solana/token-state.ts'
import { type Escrow, REQUIRED_SIGNERS, vaultSigners } from './addresses.ts'

/**
 * What is at a vault's address: no account (but perhaps lamports), the vault, or another account that its
 * owner made there (a multisig of other signers, one not initialized), under which no position may be opened.
 */
export type VaultState = { kind: 'absent'; lamports: Lamports } | { kind: 'open' } | { kind: 'foreign' }

/** Tells which account is at a vault's address. */
export function vaultState(account: ChainAccount | undefined, escrow: Escrow): VaultState {
  if (isVacant(account)) return { kind: 'absent', lamports: lamports(account?.lamports ?? 0n) }
  return { kind: isMultisigOf(account, REQUIRED_SIGNERS, vaultSigners(escrow)) ? 'open' : 'foreign' }
}

/** Reads a token account that this vault holds, however it was changed; undefined when it holds none. */
export function heldByVault(account: ChainAccount | undefined, vault: Address): CredAccount | undefined {
  const token = decodeTokenAccount(account)
  return token?.owner === vault ? credAccount(token) : undefined
}

/**
 * Reads the position in an account, if it is one that only the vault's signers can move: held by the vault,
 * of the right mint, without delegate or close authority. A frozen one is a position, too: the mint's freeze
 * authority may thaw it.
 */
export function soundPosition(
  account: ChainAccount | undefined,
  expected: { vault: Address; mint: Address },
): CredAccount | undefined {
  const position = decodeTokenAccount(account)
  if (position?.mint !== expected.mint || position.owner !== expected.vault) return undefined
  return position.delegate || position.closeAuthority ? undefined : credAccount(position)
}

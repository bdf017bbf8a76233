import { type Cred, cred, type Lamports, lamports } from '../../schema/amounts.ts'
import type { Address } from '../solana/address.ts'
import { SYSTEM_PROGRAM } from '../solana/programs.ts'
import {
  type ChainAccount,
  decodeMultisig,
  decodeTokenAccount,
  type TokenAccount,
} from '../solana/token-state.ts'
import { type Escrow, REQUIRED_SIGNERS, vaultSigners } from './addresses.ts'

/**
 * What is at a vault's address: no account (but perhaps lamports), the vault, or another account that its
 * owner made there (a multisig of other signers, one not initialized), under which no position may be opened.
 */
export type VaultState = { kind: 'absent'; lamports: Lamports } | { kind: 'open' } | { kind: 'foreign' }

/** Tells what is at a vault's address. */
export function vaultState(account: ChainAccount | undefined, escrow: Escrow): VaultState {
  if (!account) return { kind: 'absent', lamports: lamports(0n) }
  if (account.owner === SYSTEM_PROGRAM && account.data.length === 0) {
    return { kind: 'absent', lamports: lamports(account.lamports) }
  }
  const multisig = decodeMultisig(account)
  const expected = vaultSigners(escrow)
  const isVault =
    multisig?.required === REQUIRED_SIGNERS &&
    multisig.signers.length === expected.length &&
    multisig.signers.every((signer, index) => signer === expected[index])
  return { kind: isVault ? 'open' : 'foreign' }
}

/** Reads a token account that this vault holds, however it was changed; undefined when it holds none. */
export function heldByVault(account: ChainAccount | undefined, vault: Address): CredAccount | undefined {
  const token = decodeTokenAccount(account)
  return token?.owner === vault ? credAccount(token) : undefined
}

/** A token account of CRED's mint. */
export type CredAccount = TokenAccount & { amount: Cred }

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

/** Reads a token account, if `owner` can receive and spend this mint's tokens in it. */
export function ownTokenAccount(
  account: ChainAccount | undefined,
  expected: { owner: Address; mint: Address },
): CredAccount | undefined {
  const own = decodeTokenAccount(account)
  const isUsable = own?.mint === expected.mint && own.owner === expected.owner && own.state === 'initialized'
  return isUsable ? credAccount(own) : undefined
}

const credAccount = (account: TokenAccount): CredAccount => ({ ...account, amount: cred(account.amount) })

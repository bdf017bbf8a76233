import type { Address } from '../solana/address.ts'
import { seededTokenAccount } from '../solana/programs/seeded-account.ts'

/** The service's keys in a vault. A rotated authority or recovery key begins the next key version. */
export type VaultKeys = { keyVersion: number; authority: Address; recovery: Address }

/** An owner's escrow of one token under the keys of one version. */
export type Escrow = { owner: Address; mint: Address; keys: VaultKeys }

/** The number of signatures that a vault needs, counted in vaultSigners. */
export const REQUIRED_SIGNERS = 3

/**
 * Lists the signers of an owner's vault. The token program counts a signer each time it is listed. So three
 * signatures are the owner's two and one of a service key. Nobody can sign alone, and the service keys can't
 * sign without the owner.
 */
export const vaultSigners = ({ owner, keys }: Escrow): Address[] => [
  owner,
  owner,
  keys.authority,
  keys.recovery,
]

/**
 * Derives the owner's vault, `vaultPda` on the wire: a multisig of the Token program. Only the owner can
 * create an account at its address.
 */
export const vaultAccount = ({
  owner,
  keys,
}: Pick<Escrow, 'owner'> & { keys: Pick<VaultKeys, 'keyVersion'> }) =>
  seededTokenAccount(owner, `agentcred-vault:${keys.keyVersion}`)

/** Checks whether a wallet belongs to the service. Its vault would not need two parties. */
export const isServiceWallet = (
  wallet: Address,
  { authority, recovery }: VaultKeys,
  treasury: Address,
): boolean => [authority, recovery, treasury].includes(wallet)

import type { Address } from '../solana/address.ts'
import { seededTokenAccount } from '../solana/programs/seeded-account.ts'

/** The service's keys in a vault. A rotated authority or recovery key begins the next generation. */
export type VaultKeys = { generation: number; authority: Address; recovery: Address }

/** An owner's escrow of one token under the keys of one generation. */
export type Escrow = { owner: Address; mint: Address; keys: VaultKeys }

/** How many of vaultSigners must approve. */
export const REQUIRED_SIGNERS = 3

/**
 * Lists the signers of an owner's vault. The token program counts a signer each time it is listed, so three
 * of these are the owner together with either service key: nobody alone, and not the service keys without the
 * owner.
 */
export const vaultSigners = ({ owner, keys }: Escrow): Address[] => [
  owner,
  owner,
  keys.authority,
  keys.recovery,
]

/**
 * Derives the owner's vault, `vaultPda` on the wire: a multisig of the Token program that only the owner can
 * create there.
 */
export const vaultAccount = ({
  owner,
  keys,
}: Pick<Escrow, 'owner'> & { keys: Pick<VaultKeys, 'generation'> }) =>
  seededTokenAccount(owner, `agentcred-vault:${keys.generation}`)

/** Whether a wallet is one of the service's own, whose vault would not need two parties. */
export const isServiceWallet = (
  wallet: Address,
  { authority, recovery }: VaultKeys,
  treasury: Address,
): boolean => [authority, recovery, treasury].includes(wallet)

import { CRED_DECIMALS, formatAmount } from '../../../schema/amounts.ts'
import type { Signing } from '../../../schema/values.ts'
import type { Signer } from '../../keys/signer.ts'
import type { Address } from '../../solana/address.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { createInSteps, seededTokenAccount } from '../../solana/programs/seeded-account.ts'
import { createAccountWithSeed, type SeededAccount } from '../../solana/programs/system.ts'
import {
  initializeAccount3,
  initializeMultisig2,
  MULTISIG_BYTES,
  TOKEN_ACCOUNT_BYTES,
  transferChecked,
} from '../../solana/programs/token.ts'
import type { Rents } from '../../solana/rents.ts'
import { type Built, forOwnerAlone, type Network } from '../../transactions/cosigning/envelope.ts'
import { type Escrow, REQUIRED_SIGNERS, vaultAccount, vaultSigners } from '../addresses.ts'
import type { VaultState } from '../chain-state.ts'
import { type Terms, termYield } from '../rules.ts'
import { cosign } from './cosign.ts'

export type Stack = {
  /** The intent's id, for the memo. */
  id: string
  escrow: Escrow
  terms: Terms
  /** Random, at most 32 bytes, never used before. */
  positionSeed: string
  vault: Exclude<VaultState, { kind: 'foreign' }>
  rents: Rents
  network: Network
  signing?: Signing
}

/**
 * Builds the transaction that opens a position. It moves the owner's principal, and the whole term's yield
 * from the authority's token account, into an account of the vault. A service_first transaction also opens a
 * missing vault. A wallet_first transaction does not, since that would leave no bytes for the additions of
 * wallets; the authority may sign it only once the vault exists.
 * @throws TypeError when `authority` is not the escrow's
 * @returns the transaction and the position's address
 */
export async function buildStack(authority: Signer, stack: Stack): Promise<Built & { position: Address }> {
  const { escrow, network, positionSeed, rents, signing, terms } = stack
  const { mint, owner } = escrow
  if (authority.address !== escrow.keys.authority)
    throw new TypeError(`${authority.address} is not the authority`)
  const [vault, position, ownerTokens, treasury] = await Promise.all([
    vaultAccount(escrow),
    seededTokenAccount(owner, positionSeed),
    associatedTokenAddress(owner, mint),
    associatedTokenAddress(authority.address, mint),
  ])
  const into = { mint, destination: position.address, decimals: CRED_DECIMALS }
  const opensVault = stack.vault.kind === 'absent' && signing !== 'wallet_first'
  const built = await cosign(authority, { owner, signing, network, text: memoOf(stack) }, [
    ...(opensVault ? opening(vault, stack) : []),
    createAccountWithSeed(position, rents.tokenAccount, BigInt(TOKEN_ACCOUNT_BYTES)),
    initializeAccount3(position.address, mint, vault.address),
    transferChecked({ ...into, source: ownerTokens, amount: terms.amount }, { owner }),
    transferChecked({ ...into, source: treasury, amount: termYield(terms) }, { owner: authority.address }),
  ])
  return { ...built, position: position.address }
}

function opening(
  account: SeededAccount,
  { escrow, rents, vault }: Pick<Stack, 'escrow' | 'rents' | 'vault'>,
): Instruction[] {
  const held = vault.kind === 'absent' ? vault.lamports : rents.multisig
  return [
    ...createInSteps(account, { bytes: MULTISIG_BYTES, rent: rents.multisig, held }),
    initializeMultisig2(account.address, REQUIRED_SIGNERS, vaultSigners(escrow)),
  ]
}

/**
 * Builds the transaction that only opens the vault, before a first wallet_first stack. Its owner signs it
 * alone and could have built it. It moves only the vault's rent.
 */
export async function buildOpening(
  stack: Pick<Stack, 'id' | 'escrow' | 'rents' | 'vault' | 'network'>,
): Promise<Built & { vault: Address }> {
  const { id, escrow, network } = stack
  const account = await vaultAccount(escrow)
  const text = `AgentCred vault ${id}: opened under generation ${escrow.keys.keyVersion}`
  const built = forOwnerAlone({ owner: escrow.owner, network, text }, opening(account, stack))
  return { ...built, vault: account.address }
}

/**
 * Writes the memo with the terms. A wallet shows it before signing, and it stays on the chain with the
 * authority's signature.
 */
const memoOf = ({ id, terms }: Stack): string => {
  const start = terms.stakedAt.toISOString().replace('.000Z', 'Z')
  return `AgentCred stack ${id}: ${formatAmount(terms.amount)} CRED for ${terms.lockDays} days at ${terms.apyBps} bps from ${start}, yield ${formatAmount(termYield(terms))} CRED`
}

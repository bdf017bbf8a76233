import { type Lamports, lamports } from '../../../schema/amounts.ts'
import type { Address } from '../../solana/address.ts'
import { ownTokenAccount } from '../../solana/cred-account.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { associatedTokenAddress, createAssociatedIdempotent } from '../../solana/programs/associated-token.ts'
import { seededTokenAccount } from '../../solana/programs/seeded-account.ts'
import { createAccountWithSeed } from '../../solana/programs/system.ts'
import { initializeAccount3, TOKEN_ACCOUNT_BYTES } from '../../solana/programs/token.ts'
import type { ChainAccount } from '../../solana/token-state.ts'
import type { Escrow } from '../addresses.ts'

/** A new token account for the owner: a random seed, and the rent that the owner pays for it. */
type FreshAccount = { seed: string; rent: Lamports }

/** The destination of a payout: the owner's associated token account, or a fresh account. */
export type PayoutAccount = { kind: 'associated' } | ({ kind: 'fresh' } & FreshAccount)

/**
 * Chooses the destination of an owner's payout. The associated account is used while it belongs to the owner,
 * or is absent, since the payout creates it. An account that was frozen or given away would fail every
 * payout, so a fresh account replaces it.
 * @param associated the account at the owner's associated token address
 */
export function choosePayoutAccount(
  associated: ChainAccount | undefined,
  escrow: Pick<Escrow, 'owner' | 'mint'>,
  fresh: FreshAccount,
): PayoutAccount {
  const isAbsent = associated === undefined || associated.data.length === 0
  return isAbsent || ownTokenAccount(associated, escrow)
    ? { kind: 'associated' }
    : { kind: 'fresh', ...fresh }
}

/** Computes the rent that the owner pays if a payout has to create a token account first. */
export const payoutRent = (
  associated: ChainAccount | undefined,
  payout: PayoutAccount,
  rent: Lamports,
): Lamports => (associated !== undefined && payout.kind === 'associated' ? lamports(0n) : rent)

/** Returns a payout account's address, and the instructions that create it if it is absent. */
export async function preparePayout(
  payout: PayoutAccount,
  { owner, mint }: Escrow,
): Promise<{ destination: Address; preparation: Instruction[] }> {
  if (payout.kind === 'associated') {
    const destination = await associatedTokenAddress(owner, mint)
    return { destination, preparation: [createAssociatedIdempotent(destination, owner, mint)] }
  }
  const account = await seededTokenAccount(owner, payout.seed)
  return {
    destination: account.address,
    preparation: [
      createAccountWithSeed(account, payout.rent, BigInt(TOKEN_ACCOUNT_BYTES)),
      initializeAccount3(account.address, mint, owner),
    ],
  }
}

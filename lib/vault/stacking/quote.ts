import { type Cred, type Lamports, lamports } from '../../../schema/amounts.ts'
import type { Rents } from '../../solana/rents.ts'
import type { VaultState } from '../chain-state.ts'
import { type Terms, termYield, unlocksAt } from '../rules.ts'

/** The yield and costs of a stack. `funded`: whether the owner's account holds the amount now. */
export type StackQuote = {
  terms: Terms
  yield: Cred
  unlocksAt: Date
  funded: boolean
  fee: Lamports
  /** The rent of the position's account, which the withdrawal returns. */
  positionRent: Lamports
  /** The rent of the vault's account, paid once and not returned. */
  vaultRent: Lamports
}

/** Makes the quote of a stack whose transaction costs `fee`, from the current accounts. */
export function quoteOf(
  terms: Terms,
  fee: Lamports,
  seen: {
    isFunded: boolean
    vault: Exclude<VaultState, { kind: 'foreign' }>
    rents: Rents
  },
): StackQuote {
  const { isFunded, rents, vault } = seen
  const isPaid = vault.kind === 'open' || vault.lamports >= rents.multisig
  return {
    terms,
    yield: termYield(terms),
    unlocksAt: unlocksAt(terms),
    funded: isFunded,
    fee,
    positionRent: rents.tokenAccount,
    vaultRent: lamports(isPaid ? 0n : rents.multisig - vault.lamports),
  }
}

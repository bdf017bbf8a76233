import { type Cred, type Lamports, lamports } from '../../../schema/amounts.ts'
import type { Rents } from '../../solana/rents.ts'
import type { VaultState } from '../chain-state.ts'
import { type Terms, termYield, unlocksAt } from '../rules.ts'

/** What a stack would do, in numbers. `funded`: whether the owner's account holds the amount now. */
export type StackQuote = {
  terms: Terms
  yield: Cred
  unlocksAt: Date
  funded: boolean
  fee: Lamports
  /** Of the position's account; comes back when it is withdrawn. */
  positionRent: Lamports
  /** Of the vault's account, paid once; does not come back. */
  vaultRent: Lamports
}

/** The quote of a stack whose transaction costs `fee`, from the accounts as they are now. */
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

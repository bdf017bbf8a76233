import { type Cred, cred } from '../../schema/amounts.ts'
import type { Address } from './address.ts'
import { type ChainAccount, decodeTokenAccount, type TokenAccount } from './token-state.ts'

/** A token account of CRED's mint. */
export type CredAccount = TokenAccount & { amount: Cred }

/** Reads a token account; undefined unless `owner` can receive and spend this mint's tokens in it. */
export function ownTokenAccount(
  account: ChainAccount | undefined,
  expected: { owner: Address; mint: Address },
): CredAccount | undefined {
  const own = decodeTokenAccount(account)
  const isUsable = own?.mint === expected.mint && own.owner === expected.owner && own.state === 'initialized'
  return isUsable ? credAccount(own) : undefined
}

/** Returns a token account with its amount in CRED. */
export const credAccount = (account: TokenAccount): CredAccount => ({
  ...account,
  amount: cred(account.amount),
})

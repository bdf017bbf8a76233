import type { Address } from '@solana/kit'
import * as v from 'valibot'
import type { Bank } from '../bank.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts'
import { readTokenState } from '../tokens.ts'
import { AccountConfig, encodeAccount } from './accounts.ts'
import { invalidParams } from './errors.ts'
import { bankOf, ContextConfig, inContext, type Method, method, Pubkey } from './params.ts'
import { tokenAmount } from './parsed-tokens.ts'

const OwnedFilter = v.union(
  [v.strictObject({ mint: Pubkey }), v.strictObject({ programId: Pubkey })],
  'Invalid param: expected { mint } or { programId }',
)

/** https://solana.com/docs/rpc/http: methods for token accounts and mints. */
export const tokenMethods: Record<string, Method> = {
  getTokenAccountBalance: method(v.tuple([Pubkey, ContextConfig]), (chain, [pubkey, options]) => {
    const bank = bankOf(chain, options)
    const state = tokenStateAt(bank, pubkey, 'could not find account')
    const decimals = state?.type === 'account' ? bank.decimalsOf(state.mint) : null
    if (state?.type !== 'account' || decimals === null)
      throw invalidParams('Invalid param: not a Token account')
    return inContext(bank, tokenAmount(state.amount, decimals))
  }),

  getTokenSupply: method(v.tuple([Pubkey, ContextConfig]), (chain, [pubkey, options]) => {
    const bank = bankOf(chain, options)
    const state = tokenStateAt(bank, pubkey, 'could not find account')
    if (state?.type !== 'mint') throw invalidParams('Invalid param: not a Token mint')
    return inContext(bank, tokenAmount(state.supply, state.decimals))
  }),

  getTokenAccountsByOwner: method(
    v.tuple([Pubkey, OwnedFilter, AccountConfig]),
    (chain, [owner, filter, options]) => {
      const bank = bankOf(chain, options)
      const mint = 'mint' in filter ? filter.mint : null
      const program = 'mint' in filter ? programOfMint(bank, filter.mint) : filter.programId
      if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM)
        throw invalidParams('Invalid param: unrecognized Token program id')
      const owned = bank.accountsOf(program).filter((account) => {
        const state = readTokenState(program, account.data)
        return state?.type === 'account' && state.owner === owner && (mint === null || state.mint === mint)
      })
      return inContext(
        bank,
        owned.map((account) => ({
          pubkey: account.address,
          account: encodeAccount(bank, account, options),
        })),
      )
    },
  ),
}

function tokenStateAt(bank: Bank, pubkey: Address, otherwise: string) {
  const account = bank.account(pubkey)
  if (!account) throw invalidParams(`Invalid param: ${otherwise}`)
  return readTokenState(account.programAddress, account.data)
}

function programOfMint(bank: Bank, mint: Address): Address {
  const state = tokenStateAt(bank, mint, 'could not find mint')
  if (state?.type !== 'mint') throw invalidParams('Invalid param: not a Token mint')
  return bank.account(mint)?.programAddress ?? TOKEN_PROGRAM
}

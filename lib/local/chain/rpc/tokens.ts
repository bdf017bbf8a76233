import type { Address } from '@solana/kit'
import * as v from 'valibot'
import type { Ledger } from '../ledger.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts'
import { readTokenState } from '../tokens.ts'
import { AccountConfig, encodeAccount } from './encoding.ts'
import { invalidParams } from './errors.ts'
import { ContextConfig, inContext, type Method, method, Pubkey } from './params.ts'
import { tokenAmount } from './parsed-tokens.ts'

const OwnedFilter = v.union(
  [v.strictObject({ mint: Pubkey }), v.strictObject({ programId: Pubkey })],
  'Invalid param: expected { mint } or { programId }',
)

/** https://solana.com/docs/rpc/http: what the SPL token programs keep. */
export const tokenMethods: Record<string, Method> = {
  getTokenAccountBalance: method(v.tuple([Pubkey, ContextConfig]), (chain, [pubkey]) => {
    const { ledger } = chain
    const state = tokenStateAt(ledger, pubkey, 'could not find account')
    const decimals = state?.type === 'account' ? ledger.decimalsOf(state.mint) : null
    if (state?.type !== 'account' || decimals === null)
      throw invalidParams('Invalid param: not a Token account')
    return inContext(chain, tokenAmount(state.amount, decimals))
  }),

  getTokenSupply: method(v.tuple([Pubkey, ContextConfig]), (chain, [pubkey]) => {
    const state = tokenStateAt(chain.ledger, pubkey, 'could not find account')
    if (state?.type !== 'mint') throw invalidParams('Invalid param: not a Token mint')
    return inContext(chain, tokenAmount(state.supply, state.decimals))
  }),

  getTokenAccountsByOwner: method(
    v.tuple([Pubkey, OwnedFilter, AccountConfig]),
    (chain, [owner, filter, options]) => {
      const { ledger } = chain
      const mint = 'mint' in filter ? filter.mint : null
      const program = 'mint' in filter ? programOfMint(ledger, filter.mint) : filter.programId
      if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM)
        throw invalidParams('Invalid param: unrecognized Token program id')
      const owned = ledger.accountsOf(program).filter((account) => {
        const state = readTokenState(program, account.data)
        return state?.type === 'account' && state.owner === owner && (mint === null || state.mint === mint)
      })
      return inContext(
        chain,
        owned.map((account) => ({
          pubkey: account.address,
          account: encodeAccount(ledger, account, options),
        })),
      )
    },
  ),
}

function tokenStateAt(ledger: Ledger, pubkey: Address, otherwise: string) {
  const account = ledger.account(pubkey)
  if (!account) throw invalidParams(`Invalid param: ${otherwise}`)
  return readTokenState(account.programAddress, account.data)
}

function programOfMint(ledger: Ledger, mint: Address): Address {
  const state = tokenStateAt(ledger, mint, 'could not find mint')
  if (state?.type !== 'mint') throw invalidParams('Invalid param: not a Token mint')
  return ledger.account(mint)?.programAddress ?? TOKEN_PROGRAM
}

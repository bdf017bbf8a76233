import * as v from 'valibot'
import { AccountConfig, encodeAccount } from './encoding.ts'
import { ContextConfig, inContext, type Method, method, Pubkey } from './params.ts'

const MAX_ACCOUNTS = 100

/** https://solana.com/docs/rpc/http: accounts of any program. */
export const accountMethods: Record<string, Method> = {
  getAccountInfo: method(v.tuple([Pubkey, AccountConfig]), (chain, [pubkey, options]) =>
    inContext(chain, encodeAccount(chain.ledger, chain.ledger.account(pubkey), options)),
  ),

  /** All accounts are read at one slot: nothing else runs in between. */
  getMultipleAccounts: method(
    v.tuple([
      v.pipe(v.array(Pubkey), v.maxLength(MAX_ACCOUNTS, `Too many inputs provided; max ${MAX_ACCOUNTS}`)),
      AccountConfig,
    ]),
    (chain, [pubkeys, options]) => {
      const config = { ...options, encoding: options?.encoding ?? ('base64' as const) }
      const accounts = pubkeys.map((pubkey) => chain.ledger.account(pubkey))
      return inContext(
        chain,
        accounts.map((account) => encodeAccount(chain.ledger, account, config)),
      )
    },
  ),

  getBalance: method(v.tuple([Pubkey, ContextConfig]), (chain, [pubkey]) =>
    inContext(chain, chain.ledger.account(pubkey)?.lamports ?? 0n),
  ),
}

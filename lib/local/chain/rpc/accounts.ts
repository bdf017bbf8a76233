import * as v from 'valibot'
import { AccountConfig, encodeAccount } from './encoding.ts'
import { bankOf, ContextConfig, inContext, type Method, method, Pubkey } from './params.ts'

const MAX_ACCOUNTS = 100

/** https://solana.com/docs/rpc/http: accounts of any program. */
export const accountMethods: Record<string, Method> = {
  getAccountInfo: method(v.tuple([Pubkey, AccountConfig]), (chain, [pubkey, options]) => {
    const bank = bankOf(chain, options)
    return inContext(bank, encodeAccount(bank, bank.account(pubkey), options))
  }),

  /** All accounts are read at one slot: nothing else runs in between. */
  getMultipleAccounts: method(
    v.tuple([
      v.pipe(v.array(Pubkey), v.maxLength(MAX_ACCOUNTS, `Too many inputs provided; max ${MAX_ACCOUNTS}`)),
      AccountConfig,
    ]),
    (chain, [pubkeys, options]) => {
      const bank = bankOf(chain, options)
      const config = { ...options, encoding: options?.encoding ?? ('base64' as const) }
      const accounts = pubkeys.map((pubkey) => encodeAccount(bank, bank.account(pubkey), config))
      return inContext(bank, accounts)
    },
  ),

  getBalance: method(v.tuple([Pubkey, ContextConfig]), (chain, [pubkey, options]) => {
    const bank = bankOf(chain, options)
    return inContext(bank, bank.account(pubkey)?.lamports ?? 0n)
  }),
}

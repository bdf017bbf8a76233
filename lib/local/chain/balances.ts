import { type Address, getAddressDecoder } from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { LOOKUP_TABLE_PROGRAM } from './programs.ts'
import { readTokenState } from './tokens.ts'
import type { Lookup, Message } from './transaction.ts'

const LOOKUP_TABLE_HEADER_BYTES = 56

/** A token account's balance, with its index among the transaction's accounts. */
export interface TokenBalance {
  accountIndex: number
  mint: Address
  owner: Address
  programId: Address
  amount: bigint
  decimals: number
}

/** Reads the lamports of each account, 0 for one that does not exist. */
export function lamportsOf(svm: LiteSVM, keys: readonly Address[]): bigint[] {
  return keys.map((key) => svm.getBalance(key) ?? 0n)
}

/** Reads the token accounts in a list of accounts, except accounts of a closed mint. */
export function tokenBalancesOf(svm: LiteSVM, keys: readonly Address[]): TokenBalance[] {
  return keys.flatMap((key, accountIndex) => {
    const account = svm.getAccount(key)
    const state = account.exists ? readTokenState(account.programAddress, account.data) : null
    if (!account.exists || state?.type !== 'account') return []
    const decimals = decimalsOf(svm, state.mint)
    if (decimals === null) return []
    const { mint, owner, amount } = state
    return [{ accountIndex, mint, owner, programId: account.programAddress, amount, decimals }]
  })
}

/** Reads the decimals of a mint, or null if the address has no mint. */
export function decimalsOf(svm: LiteSVM, mint: Address): number | null {
  const account = svm.getAccount(mint)
  const state = account.exists ? readTokenState(account.programAddress, account.data) : null
  return state?.type === 'mint' ? state.decimals : null
}

/** Reads the accounts that a message loads from lookup tables, in table order. */
export function loadedBy(svm: LiteSVM, message: Message): { writable: Address[]; readonly: Address[] } {
  return {
    writable: message.lookups.flatMap((one) => fromTable(svm, one, one.writable)),
    readonly: message.lookups.flatMap((one) => fromTable(svm, one, one.readonly)),
  }
}

function fromTable(svm: LiteSVM, { table }: Lookup, indexes: readonly number[]): Address[] {
  const account = svm.getAccount(table)
  if (!account.exists || account.programAddress !== LOOKUP_TABLE_PROGRAM) return []
  const offsets = indexes.map((index) => LOOKUP_TABLE_HEADER_BYTES + 32 * index)
  const present = offsets.filter((offset) => offset + 32 <= account.data.length)
  return present.map((offset) => getAddressDecoder().decode(account.data, offset))
}

import type { Address } from './address.ts'
import { RENT_SYSVAR, type Rents, rentsOf } from './rents.ts'
import type { Blockhash, Rpc } from './rpc.ts'
import type { ChainAccount } from './token-state.ts'

/**
 * The chain's data for building a transaction: the slot of the accounts, a recent blockhash and the rents.
 */
export type ChainView = { slot: bigint; blockhash: Blockhash; rents: Rents }

/** Returns the account at one of the requested addresses. */
type AccountAt = (address: Address) => ChainAccount | undefined

/**
 * Reads a blockhash, these accounts and the rents, in two concurrent calls.
 * @param minSlot a slot that the node must have reached
 * @throws ApiError `dependency_unavailable` if the node does not answer
 */
export async function lookUp<Name extends string>(
  { rpc }: { rpc: Rpc },
  addresses: Record<Name, Address>,
  minSlot?: bigint,
): Promise<ChainView & { accounts: Record<Name, ChainAccount | undefined>; at: AccountAt }> {
  const names = Object.keys(addresses) as Name[]
  const [blockhash, seen] = await Promise.all([
    rpc.latestBlockhash(),
    rpc.accounts(
      [...names.map((name) => addresses[name]), RENT_SYSVAR],
      minSlot === undefined ? {} : { minSlot },
    ),
  ])
  const accounts = Object.fromEntries(names.map((name, i) => [name, seen.accounts[i]]))
  const byAddress = new Map(names.map((name, i) => [addresses[name], seen.accounts[i]]))
  return {
    slot: seen.slot,
    blockhash,
    accounts: accounts as Record<Name, ChainAccount | undefined>,
    at: (address) => byAddress.get(address),
    rents: rentsOf(seen.accounts.at(-1)),
  }
}

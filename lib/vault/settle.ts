import type { Wallet } from '../../schema/wallet.ts'
import { vaultAccount } from './addresses.ts'
import type { SettleDeps } from './deps.ts'
import type { EscrowSettings } from './keyring.ts'
import { MAX_ACCOUNTS_PER_CALL } from './limits.ts'
import type { RecordedVault } from './queries.ts'
import { type Holders, mayHaveExpired, outcomesOf } from './settlement.ts'
import { recordOutcomes } from './settlement-queries.ts'

/**
 * Asks the chain what became of an owner's open intents and records it: one call for all of them (a second
 * beside it once one is old enough to have expired), then one round trip to the database if anything was
 * found.
 * @returns the vault as it is recorded afterwards
 * @throws Refusal dependency_unavailable
 */
export async function settle(
  deps: SettleDeps,
  owner: Wallet,
  recorded: RecordedVault,
): Promise<RecordedVault> {
  const { openIntents, positions } = recorded
  if (openIntents.length === 0) return recorded
  const holders = await holdersOf(owner, deps.escrow)
  const legs = openIntents.flatMap((intent) => intent.legs.map(({ address }) => address))
  const addresses = [...new Set([...holders.vaults.values(), ...legs])].slice(0, MAX_ACCOUNTS_PER_CALL)
  const isOld = openIntents.some((intent) => mayHaveExpired(intent, deps.now))
  const [{ slot, accounts }, finalized] = await Promise.all([
    deps.rpc.accounts(addresses),
    isOld ? deps.rpc.finalizedBlock() : undefined,
  ])
  const seen = openIntents.filter(({ legs }) => legs.every(({ address }) => addresses.includes(address)))
  const outcomes = outcomesOf(
    seen,
    positions,
    { slot, accounts: new Map(addresses.map((address, i) => [address, accounts[i]])), finalized },
    holders,
  )
  const [first, ...rest] = outcomes
  return first ? recordOutcomes(deps.db, owner, [first, ...rest], deps.now) : recorded
}

/** Derives the owner's vault in each key generation: these may hold the owner's positions. */
export async function holdersOf(owner: Wallet, { mint, generations }: EscrowSettings): Promise<Holders> {
  const vaults = Array.from({ length: generations }, async (_, index) => {
    const generation = index + 1
    const { address } = await vaultAccount({ owner, keys: { generation } })
    return [generation, address] as const
  })
  return { mint, vaults: new Map(await Promise.all(vaults)) }
}

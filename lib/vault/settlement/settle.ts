import type { Wallet } from '../../../schema/wallet.ts'
import type { RpcBudget } from '../../transactions/confirmation/message-search.ts'
import { MAX_ACCOUNTS_PER_CALL } from '../../transactions/relay/limits.ts'
import type { SettleDeps } from '../deps.ts'
import { MAX_SEARCH_CALLS_OF_READ } from '../limits.ts'
import type { RecordedVault } from '../queries.ts'
import { isMissing, resolveMissing } from './search.ts'
import { isWatched, mayHaveExpired, outcomesOf, vaultsByKeyVersion } from './settlement.ts'
import { type Outcome, recordOutcomes } from './settlement-queries.ts'

/**
 * Reads the outcomes of an owner's open intents from the chain and records them. One RPC call reads all their
 * accounts and the owner's vaults. If an intent may have expired, another one reads the newest final block,
 * and an expired stack takes a search. A found outcome takes one database call.
 * @param calls the remaining RPC calls of searches; each search reduces it
 * @returns the vault as recorded afterwards
 * @throws ApiError dependency_unavailable
 */
export async function settle(
  deps: SettleDeps,
  owner: Wallet,
  recorded: RecordedVault,
  calls: RpcBudget = { left: MAX_SEARCH_CALLS_OF_READ },
): Promise<RecordedVault> {
  if (!recorded.openIntents.some(isWatched)) return recorded
  const [first, ...rest] = await outcomesShown(deps, owner, recorded, calls)
  if (!first) return recorded
  const outcome = await recordOutcomes(deps.db, owner, [first, ...rest], deps.now)
  deps.notify(outcome.due)
  return outcome.recorded
}

/** Returns the outcomes of open intents that the chain shows. */
async function outcomesShown(
  deps: SettleDeps,
  owner: Wallet,
  { openIntents, positions }: RecordedVault,
  calls: RpcBudget,
): Promise<Outcome[]> {
  const byKeyVersion = await vaultsByKeyVersion(owner, deps.escrow)
  const vaults = [...byKeyVersion.values()].map(({ vault }) => vault)
  const legs = openIntents.filter(isWatched).flatMap((intent) => intent.legs.map(({ address }) => address))
  const addresses = [...new Set([...vaults, ...legs])].slice(0, MAX_ACCOUNTS_PER_CALL)
  const isOld = openIntents.some((intent) => mayHaveExpired(intent, deps.now))
  const [{ slot, accounts }, finalized] = await Promise.all([
    deps.rpc.accounts(addresses),
    isOld ? deps.rpc.finalizedBlock() : undefined,
  ])
  const seen = openIntents.filter(
    (intent) => !isWatched(intent) || intent.legs.every(({ address }) => addresses.includes(address)),
  )
  const snapshot = {
    slot,
    accounts: new Map(addresses.map((address, i) => [address, accounts[i]])),
    finalized,
  }
  const outcomes: Outcome[] = []
  for (const outcome of outcomesOf(seen, positions, snapshot, byKeyVersion)) {
    const keyed = byKeyVersion.get(outcome.intent.keyVersion)
    const resolution =
      finalized && keyed && isMissing(outcome)
        ? await resolveMissing(deps, outcome, { keyed, finalizedSlot: finalized.slot, calls })
        : outcome
    if (resolution) outcomes.push(resolution)
  }
  return outcomes
}

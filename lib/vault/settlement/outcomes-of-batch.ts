import type { Wallet } from '../../../schema/wallet.ts'
import type { RpcBudget } from '../../transactions/confirmation/message-search.ts'
import type { SettleDeps } from '../deps.ts'
import type { Intent } from '../queries.ts'
import { isMissing, resolveMissing } from './search.ts'
import { outcomesOf, type VaultsByKeyVersion, vaultsByKeyVersion } from './settlement.ts'
import type { Outcome } from './settlement-queries.ts'

/**
 * Reads the outcomes of stacks of many owners from the chain. One call reads the account and the vault of
 * each.
 * @param ending the newest final block, by which stacks may have expired, and the number of RPC calls for
 *   searches. Without it only landed stacks have an outcome
 * @throws ApiError dependency_unavailable
 */
export async function outcomesOfBatch(
  deps: SettleDeps,
  stacks: Intent[],
  ending?: { finalized: { slot: bigint; height: bigint }; calls: RpcBudget },
): Promise<Outcome[]> {
  const vaultsOfOwner = new Map<Wallet, VaultsByKeyVersion>()
  for (const { owner } of stacks) {
    if (!vaultsOfOwner.has(owner)) vaultsOfOwner.set(owner, await vaultsByKeyVersion(owner, deps.escrow))
  }
  const vaultsFor = (stack: Intent): VaultsByKeyVersion => vaultsOfOwner.get(stack.owner) ?? new Map()
  const legs = stacks.flatMap(({ legs }) => legs.map(({ address }) => address))
  const vaults = stacks.flatMap((stack) => vaultsFor(stack).get(stack.keyVersion)?.vault ?? [])
  const addresses = [...new Set([...legs, ...vaults])]
  const { slot, accounts } = await deps.rpc.accounts(addresses)
  const snapshot = {
    slot,
    accounts: new Map(addresses.map((address, i) => [address, accounts[i]])),
    finalized: ending?.finalized,
  }
  const outcomes: Outcome[] = []
  for (const stack of stacks) {
    const [outcome] = outcomesOf([stack], [], snapshot, vaultsFor(stack))
    const keyed = vaultsFor(stack).get(stack.keyVersion)
    const resolution =
      outcome && ending && keyed && isMissing(outcome)
        ? await resolveMissing(deps, outcome, {
            keyed,
            finalizedSlot: ending.finalized.slot,
            calls: ending.calls,
          })
        : outcome
    if (resolution) outcomes.push(resolution)
  }
  return outcomes
}

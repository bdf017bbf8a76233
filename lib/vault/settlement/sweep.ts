import type { Wallet } from '../../../schema/wallet.ts'
import { reasonOf } from '../../db/failures.ts'
import { logError } from '../../log.ts'
import { MAX_ACCOUNTS_PER_CALL } from '../../signing/relay/limits.ts'
import type { SettleDeps } from '../deps.ts'
import {
  EXPIRED_STACKS_WATCHED_MS,
  MAX_EXPIRED_STACKS_PER_SWEEP,
  MAX_OWNERS_PER_SWEEP,
  MAX_SEARCH_CALLS_PER_SWEEP,
} from '../limits.ts'
import { type Intent, readVault } from '../queries.ts'
import { settle } from './settle.ts'
import { type Holders, holdersOf, outcomesOf } from './settlement.ts'
import { recordOutcomes } from './settlement-queries.ts'
import { selectExpiredStacks, selectOwnersWithOpenIntents } from './sweep-queries.ts'

/**
 * Settles intents whose owners have not asked, and looks again at expired stacks that were built within the
 * last day: the node that was asked may have been behind. Bounded, idempotent, and safe to run twice at once.
 * @returns how many owners were settled, for how many that failed (each with an error line that says why),
 *   and how many expired stacks turned out to have landed after all, or to be ruled out
 */
export async function sweepIntents(
  deps: SettleDeps,
): Promise<{ owners: number; failed: number; foundStacks: number }> {
  const owners = await selectOwnersWithOpenIntents(deps.db, MAX_OWNERS_PER_SWEEP)
  const calls = { left: MAX_SEARCH_CALLS_PER_SWEEP }
  let failed = 0
  for (const owner of owners) {
    try {
      const { lease: _, ...recorded } = await readVault(deps.db, owner, deps.now)
      await settle(deps, owner, recorded, calls)
    } catch (error) {
      // What fails for one owner must not keep the rest waiting; the next run tries again.
      failed += 1
      logError({ job: 'vaults', reason: reasonOf(error) })
    }
  }
  return { owners: owners.length, failed, foundStacks: await findExpiredStacks(deps) }
}

async function findExpiredStacks(deps: SettleDeps): Promise<number> {
  const since = new Date(deps.now.getTime() - EXPIRED_STACKS_WATCHED_MS)
  const stacks = await selectExpiredStacks(deps.db, since, MAX_EXPIRED_STACKS_PER_SWEEP)
  let found = 0
  // Of each its own account and its vault's.
  const perCall = MAX_ACCOUNTS_PER_CALL / 2
  for (let i = 0; i < stacks.length; i += perCall) {
    found += await findAmong(deps, stacks.slice(i, i + perCall))
  }
  return found
}

async function findAmong(deps: SettleDeps, stacks: Intent[]): Promise<number> {
  const holders = new Map<Wallet, Holders>()
  for (const { owner } of stacks) {
    if (!holders.has(owner)) holders.set(owner, await holdersOf(owner, deps.escrow))
  }
  const holdersFor = (stack: Intent): Holders => holders.get(stack.owner) ?? new Map()
  const legs = stacks.flatMap(({ legs }) => legs.map(({ address }) => address))
  const vaults = stacks.flatMap((stack) => holdersFor(stack).get(stack.generation)?.vault ?? [])
  const addresses = [...new Set([...legs, ...vaults])]
  const { slot, accounts } = await deps.rpc.accounts(addresses)
  const snapshot = { slot, accounts: new Map(addresses.map((address, i) => [address, accounts[i]])) }
  let found = 0
  for (const stack of stacks) {
    const [outcome] = outcomesOf([stack], [], snapshot, holdersFor(stack))
    if (!outcome) continue
    const { due } = await recordOutcomes(deps.db, stack.owner, [outcome], deps.now)
    deps.nudge(due)
    found += 1
  }
  return found
}

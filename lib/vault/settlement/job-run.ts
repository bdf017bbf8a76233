import type { Address } from '../../../schema/wallet.ts'
import { reasonOf } from '../../db/failures.ts'
import { logError } from '../../runtime/log.ts'
import { nextCheck, RECHECK_MS } from '../../transactions/confirmation/check-schedule.ts'
import { MAX_ACCOUNTS_PER_CALL } from '../../transactions/relay/limits.ts'
import type { SettleDeps } from '../deps.ts'
import { EXPIRED_STACKS_WATCHED_MS, MAX_OWNERS_PER_RUN, MAX_SEARCH_CALLS_PER_RUN } from '../limits.ts'
import { type Intent, readVault } from '../queries.ts'
import { signedAt } from '../transactions/signing.ts'
import { recordRechecks, selectDueOwners, selectStacksToRecheck, vaultChecks } from './job-run-queries.ts'
import { outcomesOfBatch } from './outcomes-of-batch.ts'
import { settle } from './settle.ts'
import { recordOutcomes } from './settlement-queries.ts'

/**
 * Settles due intents, and checks expired stacks of the last day again, since the node may have been behind.
 * Bounded, idempotent, and safe to run twice at once. Logs an error line for each owner that failed.
 * @returns the number of owners, the number that failed, and the number of expired stacks that have landed or
 *   failed after all
 * @throws the last error if all owners failed; then no intent's next check is moved
 */
export async function settleDueOwners(
  deps: SettleDeps,
): Promise<{ owners: number; failed: number; foundStacks: number }> {
  const { db, now } = deps
  const owners = await selectDueOwners(db, now, MAX_OWNERS_PER_RUN)
  const calls = { left: MAX_SEARCH_CALLS_PER_RUN }
  const asked: Intent[] = []
  const failures: unknown[] = []
  for (const owner of owners) {
    try {
      const { lease: _, ...recorded } = await readVault(db, owner, now)
      asked.push(...recorded.openIntents.filter(({ dueAt }) => dueAt !== null && dueAt <= now))
      await settle(deps, owner, recorded, calls)
    } catch (error) {
      // One owner's failure must not delay the others; a later run tries again.
      failures.push(error)
      logError({ job: 'vaults', reason: reasonOf(error) })
    }
  }
  if (failures.length > 0 && failures.length === owners.length) throw failures.at(-1)
  if (asked.length > 0) {
    const dueAts = asked.map((intent) => nextCheck(signedAt(intent), now))
    await vaultChecks.recordChecks(db, { ids: asked.map(({ id }) => id), dueAts, now })
  }
  return { owners: owners.length, failed: failures.length, foundStacks: await findExpiredStacks(deps) }
}

/**
 * Checks the positions of expired stacks again in one call. A second call reads the positions that exist with
 * their vaults. Positions that do not fit into it wait for a later run.
 */
async function findExpiredStacks(deps: SettleDeps): Promise<number> {
  const { db, rpc, now } = deps
  const stacks = await selectStacksToRecheck(db, { now, limit: MAX_ACCOUNTS_PER_CALL })
  if (stacks.length === 0) return 0
  const { slot, accounts } = await rpc.accounts(stacks.map(({ legs }) => legs[0]?.address as Address))
  const open = new Set(stacks.filter((_, index) => accounts[index]).slice(0, MAX_ACCOUNTS_PER_CALL / 2))
  const found = await findInBatch(deps, [...open])
  const seen = stacks.filter(
    (stack, index) => stack.builtSlot <= slot && (!accounts[index] || open.has(stack)),
  )
  await recordRechecks(db, {
    ids: stacks.map(({ id }) => id),
    seen: seen.map(({ id }) => id),
    now,
    watchedSince: new Date(now.getTime() - EXPIRED_STACKS_WATCHED_MS),
    again: new Date(now.getTime() + RECHECK_MS),
  })
  return found
}

async function findInBatch(deps: SettleDeps, stacks: Intent[]): Promise<number> {
  if (stacks.length === 0) return 0
  let found = 0
  for (const outcome of await outcomesOfBatch(deps, stacks)) {
    try {
      const { due } = await recordOutcomes(deps.db, outcome.intent.owner, [outcome], deps.now)
      deps.notify(due)
      found += 1
    } catch (error) {
      // An outcome that can't be recorded must not delay the others.
      logError({ job: 'vaults', reason: reasonOf(error) })
    }
  }
  return found
}

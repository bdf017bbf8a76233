import { ApiError } from '../../api-error.ts'
import { outageReason, reasonOf } from '../../db/failures.ts'
import { logError } from '../../runtime/log.ts'
import { MIN_EXPIRY_AGE_MS, RETRY_SECONDS } from '../../transactions/relay/limits.ts'
import type { SettleDeps } from '../deps.ts'
import { leaseEnd } from '../lease-queries.ts'
import {
  ASKED_RECENTLY_MS,
  DUE_STACKS_PER_BATCH,
  MAX_BATCHES_OF_DUE,
  MAX_SEARCH_CALLS_OF_DUE,
} from '../limits.ts'
import type { Intent } from '../queries.ts'
import { type Due, recordDue, takeDue } from './due-queries.ts'
import { outcomesOfBatch } from './outcomes-of-batch.ts'
import { type Outcome, recordOutcomes } from './settlement-queries.ts'

/**
 * Settles the reservations of all owners that can't land any more, before a caller gets `yield_limit`. Makes
 * at most three batches. Each has one RPC call for a hundred accounts, one database call, and another RPC
 * call for each stack whose balances prove nothing.
 * @param day the UTC day whose limit has no room
 * @returns whether any stack was checked, so that there may be room now
 * @throws ApiError yield_settling while another caller settles; dependency_unavailable
 */
export async function settleDue(deps: SettleDeps, day: string): Promise<boolean> {
  const { db, rpc, now } = deps
  const dueIn = (batch: number): Due => ({
    day,
    hasLease: batch > 0,
    leaseEnd: leaseEnd(now),
    signedBy: new Date(now.getTime() - MIN_EXPIRY_AGE_MS),
    askedBy: new Date(now.getTime() - ASKED_RECENTLY_MS),
    limit: batch < MAX_BATCHES_OF_DUE ? DUE_STACKS_PER_BATCH : 0,
    askedAt: new Date(now.getTime() + batch),
  })
  const taken = await takeDue(db, dueIn(0))
  if (taken.outcome === 'busy') throw settling()
  if (taken.outcome === 'nothing_due') return false
  const ending = { finalized: await rpc.finalizedBlock(), calls: { left: MAX_SEARCH_CALLS_OF_DUE } }
  let { stacks } = taken
  for (let batch = 1; stacks.length > 0; batch += 1) {
    const outcomes = await outcomesOfBatch(deps, stacks, ending)
    stacks = await record(deps, outcomes, dueIn(batch))
  }
  return true
}

/** @returns the next stacks to check */
async function record(deps: SettleDeps, outcomes: Outcome[], next: Due): Promise<Intent[]> {
  const { db, now } = deps
  try {
    const { due, stacks } = await recordDue(db, outcomes, { now, next })
    deps.notify(due)
    return stacks
  } catch (error) {
    if (outageReason(error) !== undefined) throw error
  }
  // An outcome that can't be recorded must not prevent the others.
  for (const outcome of outcomes) {
    try {
      deps.notify((await recordOutcomes(db, outcome.intent.owner, [outcome], now)).due)
    } catch (error) {
      logError({ unrecordedStack: outcome.intent.id, reason: reasonOf(error) })
    }
  }
  return []
}

const settling = () =>
  new ApiError('yield_settling', 'The yield limit is used up; open stakes are being checked. Try again.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

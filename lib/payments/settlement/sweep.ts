import { reasonOf } from '../../db/failures.ts'
import { logError } from '../../log.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import { MAX_INTENTS_PER_CALL, settle } from './settle.ts'
import { leaseOpenIntents } from './sweep-queries.ts'

/** Calls of one run, each for as many intents as fit; each of them may take a search of its own. */
const MAX_CALLS = 2

/**
 * Settles signed intents that nobody has asked about, the ones that have waited longest first. Bounded,
 * idempotent, and safe to run twice at once.
 * @returns how many it asked about, how many outcomes it recorded, how many calls failed, each with an error
 *   line that says why, and which endpoints have something due
 */
export async function sweepPayments(
  deps: PaymentSettleDeps,
): Promise<{ asked: number; settled: number; failedCalls: number; due: string[] }> {
  const counts = { asked: 0, settled: 0, failedCalls: 0 }
  const due: string[] = []
  const intents = await leaseOpenIntents(deps.db, deps.now, MAX_CALLS * MAX_INTENTS_PER_CALL)
  for (let start = 0; start < intents.length; start += MAX_INTENTS_PER_CALL) {
    const some = intents.slice(start, start + MAX_INTENTS_PER_CALL)
    counts.asked += some.length
    try {
      const found = await settle(deps, some)
      counts.settled += found.settled
      due.push(...found.due)
    } catch (error) {
      counts.failedCalls += 1
      logError({ job: 'payments', reason: reasonOf(error) })
    }
  }
  return { ...counts, due: [...new Set(due)] }
}

import { reasonOf } from '../../db/failures.ts'
import { logError } from '../../runtime/log.ts'
import { nextCheck } from '../../transactions/confirmation/check-schedule.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import { leaseDueIntents, paymentChecks } from './job-run-queries.ts'
import { MAX_INTENTS_PER_CALL, settle } from './settle.ts'

/** Calls of `settle` in one run, each for MAX_INTENTS_PER_CALL intents. */
const MAX_CALLS = 2

/**
 * Settles due intents, the longest waiting first. Bounded, idempotent, and safe to run twice at once. Logs an
 * error line for each failed call.
 * @returns the numbers of checked intents, recorded outcomes and failed calls, and the webhook endpoints with
 *   due deliveries
 * @throws the last error if all calls failed; then no intent's next check is moved
 */
export async function settleDueTransactions(
  deps: PaymentSettleDeps,
): Promise<{ asked: number; settled: number; failedCalls: number; due: string[] }> {
  const counts = { asked: 0, settled: 0, failedCalls: 0 }
  const due: string[] = []
  const { db, now } = deps
  const intents = await leaseDueIntents(db, now, MAX_CALLS * MAX_INTENTS_PER_CALL)
  let failure: unknown
  for (let start = 0; start < intents.length; start += MAX_INTENTS_PER_CALL) {
    const some = intents.slice(start, start + MAX_INTENTS_PER_CALL)
    counts.asked += some.length
    try {
      const found = await settle(deps, some)
      counts.settled += found.settled
      due.push(...found.due)
    } catch (error) {
      failure = error
      counts.failedCalls += 1
      logError({ job: 'payments', reason: reasonOf(error) })
    }
  }
  if (counts.failedCalls > 0 && counts.failedCalls * MAX_INTENTS_PER_CALL >= intents.length) throw failure
  if (intents.length > 0) {
    const dueAts = intents.map(({ cosignedAt }) => nextCheck(cosignedAt ?? now, now))
    await paymentChecks.recordChecks(db, { ids: intents.map(({ id }) => id), dueAts, now })
  }
  return { ...counts, due: [...new Set(due)] }
}

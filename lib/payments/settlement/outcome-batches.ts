import { outageReason, reasonOf } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { logError } from '../../runtime/log.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import type { Intent } from '../transactions/intent-queries.ts'
import { isOfJobs } from './outcomes.ts'

/** The outcome of a signed intent on the chain. */
export type Outcome = { intent: Intent; kind: 'landed' | 'expired' | 'failed' }

/**
 * Records outcomes, each at most once, and publishes their events. One round trip, one transaction.
 * @returns the webhook endpoints with due deliveries
 */
export async function recordOutcomes(
  { db, now, feeStep }: Pick<PaymentSettleDeps, 'db' | 'now' | 'feeStep'>,
  outcomes: Outcome[],
): Promise<string[]> {
  const { toNotify } = await postgres.settlePayments.call(db, {
    ids: outcomes.map(({ intent }) => intent.id),
    networkSignatures: outcomes.map(({ intent }) => intent.networkSignature ?? ''),
    lastValidBlockHeights: outcomes.map(({ intent }) => intent.lastValidBlockHeight),
    outcomes: outcomes.map(({ kind }) => kind),
    feeStep,
    now,
  })
  return [...new Set(toNotify)]
}

/** Outcomes per transaction. One collection updates up to a hundred charges and publishes their events. */
const OUTCOMES_PER_TRANSACTION = 16

const batchesOf = (outcomes: Outcome[]): Outcome[][] =>
  Array.from({ length: Math.ceil(outcomes.length / OUTCOMES_PER_TRANSACTION) }, (_, i) =>
    outcomes.slice(i * OUTCOMES_PER_TRANSACTION, (i + 1) * OUTCOMES_PER_TRANSACTION),
  )

/** Stops after this many transactions in a row that failed because the database did not answer. */
const MAX_OUTAGES = 3

/** The number of recorded outcomes, and the webhook endpoints with deliveries due by them. */
export type Settled = { settled: number; due: string[] }

/**
 * Records outcomes, several per transaction. If a transaction fails, records each of its outcomes alone, so
 * that a bad one does not delay the others. Logs the outcome that can't be recorded; the next run retries it.
 * @throws the last error if no outcome could be recorded, or if the database does not answer
 */
export async function recordAll(deps: PaymentSettleDeps, outcomes: Outcome[]): Promise<Settled> {
  const recorded: Settled = { settled: 0, due: [] }
  let outages = 0
  let failure: unknown
  const record = async (some: Outcome[]): Promise<boolean> => {
    try {
      recorded.due.push(...(await recordOutcomes(deps, some)))
      recorded.settled += some.length
      outages = 0
      return true
    } catch (error) {
      failure = error
      outages = outageReason(error) === undefined ? 0 : outages + 1
      if (outages === MAX_OUTAGES) throw error
      return false
    }
  }
  const [ofJobs = [], others = []] = [true, false].map((of) =>
    outcomes.filter(({ intent }) => isOfJobs(intent) === of),
  )
  for (const together of [...batchesOf(others), ...batchesOf(ofJobs)]) {
    if (await record(together)) continue
    for (const outcome of together) {
      if (!(await record([outcome])))
        logError({ unrecordedOutcome: outcome.intent.id, reason: reasonOf(failure) })
    }
  }
  if (recorded.settled === 0 && failure !== undefined) throw failure
  return recorded
}

import { reasonOf, unavailability } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { logError } from '../../runtime/log.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import type { Intent } from '../transactions/intent-queries.ts'

/** What the chain says became of a signed intent. */
export type Outcome = { intent: Intent; kind: 'landed' | 'expired' | 'failed' }

/**
 * Records outcomes, each at most once, with the events that report it: one round trip, one transaction.
 * @returns the endpoints that have something due
 */
export async function recordOutcomes(
  { db, now, feeStep }: Pick<PaymentSettleDeps, 'db' | 'now' | 'feeStep'>,
  outcomes: Outcome[],
): Promise<string[]> {
  const { nudges } = await postgres.settlePayments.call(db, {
    ids: outcomes.map(({ intent }) => intent.id),
    networkSignatures: outcomes.map(({ intent }) => intent.networkSignature ?? ''),
    lastValidBlockHeights: outcomes.map(({ intent }) => intent.lastValidBlockHeight),
    outcomes: outcomes.map(({ kind }) => kind),
    feeStep,
    now,
  })
  return [...new Set(nudges)]
}

/** How many outcomes one transaction records: a collection is up to a hundred charges with their events. */
const OUTCOMES_PER_TRANSACTION = 16

/** So many transactions in a row that fail because the database does not answer end the rest. */
const MAX_OUTAGES = 3

/** What was recorded, and which endpoints have something due by that. */
export type Settled = { settled: number; due: string[] }

/**
 * Records outcomes, several in a transaction. Where one fails, each of its outcomes is recorded alone, so
 * that one that can't be recorded keeps no other waiting; an error line names it, and the next run tries it
 * again.
 * @throws what the last failure was when nothing could be recorded, or when the database does not answer
 */
export async function recordIndividually(deps: PaymentSettleDeps, outcomes: Outcome[]): Promise<Settled> {
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
      outages = unavailability(error) === undefined ? 0 : outages + 1
      if (outages === MAX_OUTAGES) throw error
      return false
    }
  }
  for (let start = 0; start < outcomes.length; start += OUTCOMES_PER_TRANSACTION) {
    const together = outcomes.slice(start, start + OUTCOMES_PER_TRANSACTION)
    if (await record(together)) continue
    for (const outcome of together) {
      if (!(await record([outcome])))
        logError({ unrecordedOutcome: outcome.intent.id, reason: reasonOf(failure) })
    }
  }
  if (recorded.settled === 0 && failure !== undefined) throw failure
  return recorded
}

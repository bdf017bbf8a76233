import type { UnconfirmedReason } from '../../../schema/values.ts'
import * as postgres from '../../db/functions.ts'
import { SQL_LIMITS } from '../limits.ts'
import { isPrompt, type NextStep, nextStep, pauseAskedMs, type Result } from '../rules.ts'
import { attemptBy } from './attempt-by.ts'
import type { DeliverDeps } from './deps.ts'
import type { Leased, LeasedDelivery } from './lease.ts'

/**
 * The result for a leased delivery: of an attempt, or of a request for a proof that was answered 2xx. Without
 * a reason that answer is the proof. `unsent`: not attempted. `unanswered`: no answer so far.
 */
export type Ended = { delivery: LeasedDelivery } & (
  | { result: Result }
  | { result: Result; answer: { unconfirmedReason: UnconfirmedReason | undefined } }
  | { without: 'unsent' | 'unanswered' }
)

/** The numbers of attempts with and without a 2xx. */
export type Outcome = { delivered: number; failed: number }

/**
 * Records what became of leased deliveries, in one statement. Schedules the next deliveries of endpoints that
 * are not healthy. `record_attempts` decides what follows for destinations and endpoints.
 */
export async function record(deps: DeliverDeps, leased: Leased, ended: Ended[]): Promise<Outcome> {
  const now = deps.clock()
  const results = ended.map((one) => resultOf(deps, one, now))
  const { lease, leasedAt, isShared } = leased
  const rows = await postgres.recordAttempts.rows(deps.db, {
    ...{ lease, leasedAt, results, isShared, now },
    trustedHosts: [...deps.trustedHosts],
    limits: SQL_LIMITS,
  })
  const isDue = ({ nextAt }: (typeof rows)[number]) => nextAt !== null && nextAt <= now
  const due = new Set(rows.flatMap((row) => (isDue(row) ? [...row.toNotify, row.endpointId] : row.toNotify)))
  if (due.size > 0) await deps.enqueue([...due])
  for (const row of rows)
    if (row.nextAt && !isDue(row))
      deps.schedule('deliveries', row.nextAt, attemptBy(row.nextAt, { now, ...row }))
  const count = (isCounted: (step: string) => boolean) => results.filter(({ step }) => isCounted(step)).length
  return {
    delivered: count((step) => step === 'delivered'),
    failed: count((step) => FAILED.includes(step)),
  }
}

const FAILED: readonly string[] = ['retry', 'gone', 'given_up'] satisfies NextStep['kind'][]

/** Encodes what became of a delivery for `attempt_results` of schema/functions. */
function resultOf(deps: DeliverDeps, ended: Ended, now: Date) {
  const { endpoint, id, attempts, proof, pausedUntil } = ended.delivery
  const { kind, wallet, url } = endpoint
  const of = { endpoint_id: endpoint.id, kind, wallet, url, event_id: id }
  if ('without' in ended) return { ...of, step: ended.without }
  const { result } = ended
  const answered = { is_prompt: isPrompt(result), pause_ms: pauseAskedMs(result, now) }
  if ('answer' in ended)
    return { ...of, ...answered, step: 'answered', unconfirmed_reason: ended.answer.unconfirmedReason }
  const jitter = deps.random()
  const step = nextStep(result, { proof, attempts: attempts + 1, now, jitter, pausedUntil })
  return {
    ...{ ...of, ...answered, step: step.kind },
    next_attempt_at: step.kind === 'retry' ? step.at : null,
    response_code: 'code' in result ? result.code : null,
    failure: 'failure' in result ? result.failure : null,
    duration_ms: result.durationMs,
  }
}

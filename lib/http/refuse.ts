import type { Context } from 'hono'
import { errors } from '../../schema/errors.ts'
import { reasonOf, unavailability } from '../db/failures.ts'
import { Refusal } from '../refusal.ts'
import type { AppEnv } from './context.ts'
import { type ProblemMembers, problemResponse } from './problems.ts'

/** What the caller is told, and for a fault of ours what only the log is told. */
type Refused = { refusal: Refusal; reason?: string }

/** Makes the error response of a refusal, and notes it for the request's log line. */
export function refuse<Bindings extends object, Deps>(
  c: Context<AppEnv<Bindings, Deps>>,
  { refusal, reason }: Refused,
  members?: ProblemMembers,
): Response {
  c.set('refused', { code: refusal.code, ...(reason === undefined ? {} : { reason }) })
  return problemResponse(refusal, { url: c.req.url, id: c.get('requestId') }, members)
}

/**
 * Turns any error into a refusal: refusals stay as they are, an unreachable dependency is 503, the rest a
 * bare 500. The reason is never a driver's message, which holds the statement's parameters.
 */
export function asRefused(error: Error): Refused {
  if (error instanceof Refusal) {
    if (errors[error.code].status < 500) return { refusal: error }
    const { cause } = error
    return { refusal: error, reason: cause instanceof Error ? cause.message : error.message }
  }
  const reason = reasonOf(error)
  if (unavailability(error) !== undefined) {
    const detail =
      'The database did not answer. A write may have been done all the same: read the state before you repeat it.'
    return { refusal: new Refusal('dependency_unavailable', detail, { retryAfterSeconds: 2 }), reason }
  }
  const detail = 'Something went wrong on our side; the request id helps us find it.'
  return { refusal: new Refusal('internal_error', detail), reason }
}

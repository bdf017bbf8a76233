import { retryAfterMs } from '../time.ts'
import type { Answer } from './ask.ts'
import { MAX_RETRY_AFTER_MS, type Outcome } from './probe-state.ts'

const AUTH_STATUSES = [401, 402, 403]
const METHOD_NOT_ALLOWED = 405
export const NOT_MODIFIED = 304
const BUSY_STATUSES = [429, 503]

/**
 * Derives the outcome of a probe from an answer. An endpoint that requires authentication, payment or another
 * method is live. 429 and 503 say nothing. A redirect is a failure, because none is followed.
 */
export function outcomeOf(answer: Answer | undefined, now: Date): Outcome {
  if (answer === undefined) return { kind: 'failed' }
  const { status, headers, latencyMs } = answer
  if (AUTH_STATUSES.includes(status)) return { kind: 'live', latencyMs, isAuthRequired: true }
  if (isSuccess(status) || status === METHOD_NOT_ALLOWED || status === NOT_MODIFIED)
    return { kind: 'live', latencyMs, isAuthRequired: false }
  if (BUSY_STATUSES.includes(status))
    return { kind: 'busy', retryAfterMs: retryAfterMs(headers.get('retry-after'), now, MAX_RETRY_AFTER_MS) }
  return { kind: 'failed' }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Longer entity tags are not stored. */
const MAX_ETAG_LENGTH = 200

/** Returns the headers of a conditional GET (RFC 9110, 13.1.2). */
export const unlessUnchanged = (etag: string | null): Record<string, string> =>
  etag === null ? {} : { 'if-none-match': etag }

export function etagOf({ headers }: Answer): string | null {
  const etag = headers.get('etag')
  return etag !== null && etag.length <= MAX_ETAG_LENGTH ? etag : null
}

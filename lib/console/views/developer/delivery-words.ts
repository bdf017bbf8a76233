import type { Delivery, Endpoint } from '../../../client/index.ts'

const FAILURES = {
  timeout: 'timed out',
  unreachable: 'could not be reached',
  url_refused: 'URL not allowed',
}

/** Codes with which the network in front of the service answers for a server that does not. */
const NETWORK: Partial<Record<number, string>> = {
  521: 'could not connect',
  522: 'could not connect',
  523: 'could not connect',
  524: 'timed out',
  525: 'no valid TLS certificate',
  526: 'no valid TLS certificate',
  530: 'host not found',
}

/**
 * Returns the outcome of the last finished attempt in words, such as "HTTP 500" or "timed out"; '' before the
 * first.
 */
export function outcomeOf({
  lastResponseCode,
  lastFailure,
}: {
  lastResponseCode?: number | undefined
  lastFailure?: Delivery['lastFailure'] | undefined
}): string {
  if (lastFailure) return FAILURES[lastFailure]
  if (lastResponseCode === undefined) return ''
  return NETWORK[lastResponseCode] ?? `HTTP ${lastResponseCode}`
}

/**
 * Returns when a pending delivery is attempted next, in Unix milliseconds, and why not earlier. `at` is
 * undefined if it is being attempted or nothing delays it.
 * @param now Unix milliseconds
 */
export function nextAttemptOf(
  { status, attempts, nextAttemptAt }: Pick<Delivery, 'status' | 'attempts' | 'nextAttemptAt'>,
  { proof, failingSince, pausedUntil }: Pick<Endpoint, 'proof' | 'failingSince' | 'pausedUntil'>,
  now: number,
): { at: number | undefined; why: string } | undefined {
  if (status !== 'pending') return undefined
  const pausedTo = Date.parse(pausedUntil ?? '') || 0
  const at = Math.max(Date.parse(nextAttemptAt ?? '') || 0, pausedTo)
  if (at <= now) return { at: undefined, why: 'It is being sent.' }
  return {
    at,
    why: reasonOf({ attempts, proof, isFailing: failingSince !== undefined, isPaused: pausedTo > now }),
  }
}

function reasonOf({
  attempts,
  proof,
  isFailing,
  isPaused,
}: {
  attempts: number
  proof: Endpoint['proof']
  isFailing: boolean
  isPaused: boolean
}): string {
  if (proof === 'new' && isFailing)
    return 'Your server did not answer the confirmation request. “Send test event” tries again at once.'
  if (isPaused && isFailing) return 'Your server failed, so nothing is sent for a while.'
  if (isPaused && proof === 'unconfirmed') return 'The endpoint is not confirmed, so its events are limited.'
  if (isPaused) return 'The limit of requests to this server is reached.'
  return attempts > 0 ? 'The last attempt failed.' : 'An attempt is in progress.'
}

import { type AskDeps, ask } from '../../liveness/ask.ts'
import { MAX_RETRY_AFTER_MS } from '../../liveness/probe-state.ts'
import { wantsNoProbes } from '../../liveness/robots.ts'
import { retryAfterMs } from '../../time.ts'
import { documentOf } from './document.ts'
import { type Expected, paymentRequired, termsError } from './payment-required.ts'
import type { RouteMethod } from './route.ts'

/** The finding of a probe: a code, or the route's document. `busy`: the host asks to wait. */
export type Found =
  | { outcome: Exclude<ReturnType<typeof termsError>, undefined> | 'down' | 'not_402' | 'opted_out' }
  | { outcome: 'no_header' | 'not_declared' | 'too_large' | 'unsafe_text' }
  | { outcome: 'listed'; document: string }
  | { outcome: 'busy'; retryAfterMs: number }

/**
 * Asks a route for its unpaid answer: its method at its literal path, without query and body. The answer must
 * ask for the agent's own price, and declare the route.
 * @param robots the host's robots.txt; empty if it allows everything
 */
export async function probeRoute(
  deps: AskDeps,
  robots: string,
  { method, url, ...expected }: Expected & { method: RouteMethod; url: string },
): Promise<Found> {
  if (wantsNoProbes(robots, url)) return { outcome: 'opted_out' }
  const answer = await ask(deps, url, { method })
  if (answer === undefined) return { outcome: 'down' }
  const { status, headers } = answer
  if (status === 429 || status === 503) {
    const after = retryAfterMs(headers.get('retry-after'), deps.clock(), MAX_RETRY_AFTER_MS)
    return { outcome: 'busy', retryAfterMs: after }
  }
  if (status !== 402) return { outcome: status >= 500 ? 'down' : 'not_402' }
  const required = paymentRequired(headers.get('payment-required'))
  if (typeof required === 'string') return { outcome: required }
  const error = termsError(required, expected)
  if (error) return { outcome: error }
  const made = documentOf(required, method)
  return typeof made === 'string' ? { outcome: made } : { outcome: 'listed', ...made }
}

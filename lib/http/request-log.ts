import { TrieRouter } from 'hono/router/trie-router'
import type { ErrorCode } from '../../schema/errors.ts'
import { logError, logInfo } from '../log.ts'
import type { Dependency } from '../meter.ts'

/**
 * What one request leaves in the log. Every member is of a closed set, a number or an id, so that nothing a
 * caller sends (paths, queries, headers, bodies, tokens) and nothing a driver says can reach it.
 */
export type RequestRecord = {
  requestId: string
  method: string
  /** The route's pattern, never the path that was asked for. */
  route: string
  status: number
  durationMs: number
  subrequests: Partial<Record<Dependency, number>>
  /** Of a refusal. */
  code?: ErrorCode
  /** Why it failed, in our words; of a 5xx. */
  reason?: string
}

/** Writes the request's one line: JSON, to the error stream when the service is at fault. */
export function logRequest(record: RequestRecord): void {
  if (record.status >= 500) logError(record)
  else logInfo(record)
}

/** The route of a path that no pattern matches. */
const NO_ROUTE = 'none'

/**
 * Tells the pattern that a path matches, for any method: a preflight and a wrong method have a route,
 * too. Of two patterns that match, the one that was registered first, as the application itself decides.
 */
export function routePatterns(app: { routes: { method: string; path: string }[] }) {
  let patterns: TrieRouter<string> | undefined
  return (path: string): string => {
    // Not before the first request: routes are added after the middleware that asks.
    patterns ??= patternsOf(app.routes)
    return patterns.match('ALL', path)[0][0]?.[0] ?? NO_ROUTE
  }
}

function patternsOf(routes: { method: string; path: string }[]): TrieRouter<string> {
  const router = new TrieRouter<string>()
  const paths = routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path)
  for (const path of new Set(paths)) router.add('ALL', path, withoutExpressions(path))
  return router
}

/** `/v1/agents/:id{[0-9a-f-]{36}}` as people write it: `/v1/agents/:id`. */
const withoutExpressions = (path: string) => path.replace(/(:\w+)\{.*?\}(?=\/|$)/g, '$1')

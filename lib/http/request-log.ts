import { TrieRouter } from 'hono/router/trie-router'
import type { ErrorCode } from '../../schema/errors.ts'
import { logError, logInfo } from '../runtime/log.ts'
import type { Dependency } from '../runtime/subrequests.ts'

/**
 * The log record of one request. Every member is a number, an id, or from a fixed set. So no input of a
 * caller (paths, queries, headers, bodies, tokens) and no message of a driver can reach the log.
 */
export type RequestRecord = {
  requestId: string
  method: string
  /** The route's pattern, never the requested path. */
  route: string
  status: number
  durationMs: number
  subrequests: Partial<Record<Dependency, number>>
  /** The code of an error. */
  code?: ErrorCode
  /** A fixed text that says why it failed, for a 5xx. */
  reason?: string
}

/** Writes the request's log line as JSON, from status 500 on to the error stream. */
export function logRequest(record: RequestRecord): void {
  if (record.status >= 500) logError(record)
  else logInfo(record)
}

/** The route of an unknown path. */
const NO_ROUTE = 'none'

/**
 * Makes a function that returns the pattern of a path, for any method, so that preflights and wrong methods
 * have a route too. If several patterns match, the first one registered wins, as in the application.
 */
export function routePatterns(app: { routes: { method: string; path: string }[] }) {
  let patterns: TrieRouter<string> | undefined
  return (path: string): string => {
    // Built at the first request, because routes are added after this middleware.
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

/** Shortens `/v1/agents/:id{[0-9a-f-]{36}}` to `/v1/agents/:id`. */
const withoutExpressions = (path: string) => path.replace(/(:\w+)\{.*?\}(?=\/|$)/g, '$1')

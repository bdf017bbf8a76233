import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
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
 * Makes a function that returns the pattern of a request's path. If several patterns match, the first one
 * registered wins, as in the application. For preflights and wrong methods, which the application matches to
 * no operation, it finds the pattern of any method.
 */
export function routePatterns(app: { routes: { method: string; path: string }[] }) {
  let patterns: TrieRouter<string> | undefined
  return (c: Context): string => {
    const route = matchedRoutes(c).find(isOperation)
    if (route) return withoutExpressions(route.path)
    // Built at the first such request, because routes are added after this middleware.
    patterns ??= patternsOf(app.routes)
    return patterns.match('ALL', c.req.path)[0][0]?.[0] ?? NO_ROUTE
  }
}

function patternsOf(routes: { method: string; path: string }[]): TrieRouter<string> {
  const router = new TrieRouter<string>()
  for (const path of new Set(routes.filter(isOperation).map(({ path }) => path)))
    router.add('ALL', path, withoutExpressions(path))
  return router
}

/** Middleware is registered for every method. */
const isOperation = ({ method }: { method: string }) => method !== 'ALL'

/** Shortens `/v1/agents/:id{[0-9a-f-]{36}}` to `/v1/agents/:id`. */
const withoutExpressions = (path: string) => path.replace(/(:\w+)\{.*?\}(?=\/|$)/g, '$1')

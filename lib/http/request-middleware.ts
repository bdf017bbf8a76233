import type { Context, MiddlewareHandler } from 'hono'
import { createSubrequestCounter } from '../runtime/subrequests.ts'
import type { AppEnv } from './context.ts'
import { preflight } from './preflight.ts'
import { logRequest } from './request-log.ts'

/**
 * Makes the outermost middleware. It sets the request's scope and id, answers preflights, sets the headers of
 * every answer and writes the log line. Headers are set on the finished answer; if they were set before, Hono
 * would copy the whole answer to merge them.
 * @param routeOf returns the pattern that a request's path matches, for the log
 */
export const requestMiddleware =
  <Bindings extends object, Deps>(
    routeOf: (c: Context) => string,
  ): MiddlewareHandler<AppEnv<Bindings, Deps>> =>
  async (c, next) => {
    // Not a difference of dates, because the machine's clock may be set in between.
    const startedAt = performance.now()
    const requestId = requestIdFrom(c.req.header('x-request-id'))
    const scope = {
      requestId,
      now: new Date(),
      clock: () => new Date(),
      elapsed: () => performance.now() - startedAt,
      background: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
      subrequests: createSubrequestCounter(),
    }
    c.set('scope', scope)
    c.set('now', scope.now)
    c.set('requestId', requestId)
    if (c.req.method === 'OPTIONS') c.res = preflight(c.req.raw)
    else await next()
    const { status, headers } = c.res
    headers.set('x-request-id', requestId)
    allowEveryOrigin(headers)
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
    logRequest({
      requestId,
      method: c.req.method,
      route: routeOf(c),
      status,
      durationMs: Math.round(scope.elapsed()),
      subrequests: scope.subrequests.counts(),
      ...c.get('refused'),
    })
  }

/** Returns the caller's own id if it is safe in a log line, otherwise a new one. */
const requestIdFrom = (header: string | undefined): string =>
  header !== undefined && /^[\w\-=]{1,64}$/.test(header) ? header : crypto.randomUUID()

/** Response headers that a page may read. */
const EXPOSED = 'ETag,Link,Retry-After,RateLimit-Policy,WWW-Authenticate,X-Request-Id'

/** Lets a page of any origin read an answer. The API uses no cookies, so credentials stay forbidden. */
function allowEveryOrigin(headers: Headers): void {
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', EXPOSED)
}

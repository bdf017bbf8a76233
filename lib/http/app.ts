import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { HonoBase } from 'hono/hono-base'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import { TrieRouter } from 'hono/router/trie-router'
import { createMeter } from '../meter.ts'
import { Refusal } from '../refusal.ts'
import type { App, AppEnv, RequestScope } from './context.ts'
import { type Endpoint, mount } from './endpoint.ts'
import { asRefused, refuse } from './refuse.ts'
import { logRequest, routePatterns } from './request-log.ts'

/** Bodies above this are refused with 413. */
const MAX_BODY_BYTES = 64 * 1024

/** Response headers a browser page may read (CORS). */
const EXPOSED_HEADERS = ['ETag', 'Link', 'Retry-After', 'RateLimit-Policy', 'X-Request-Id']

/**
 * Builds a Worker's application: one log line, request id, CORS, body limit and the one error shape around
 * `routes`. `deps` is called once per request.
 */
export function createApp<Bindings extends object, Deps>(parts: {
  routes: Endpoint<Deps>[]
  deps: (env: Bindings, request: RequestScope) => Deps
}): App<Bindings, Deps> {
  // The one router that methodNotAllowed brings along anyway; unlike hono/tiny's it tells /agents from
  // /agents/.
  const app: App<Bindings, Deps> = new HonoBase<AppEnv<Bindings, Deps>>({ router: new TrieRouter() })
  const routeOf = routePatterns(app)
  app.use(
    async (c, next) => {
      // Not a difference of dates: the machine's clock may be set in between.
      const startedAt = performance.now()
      const scope = {
        now: new Date(),
        elapsed: () => performance.now() - startedAt,
        background: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
        meter: createMeter(),
      }
      c.set('scope', scope)
      await next()
      logRequest({
        requestId: c.get('requestId'),
        method: c.req.method,
        route: routeOf(c.req.path),
        status: c.res.status,
        durationMs: Math.round(scope.elapsed()),
        subrequests: scope.meter.counts(),
        ...c.get('refused'),
      })
    },
    requestId({ limitLength: 64 }),
    noStoreByDefault,
    cors({
      origin: '*',
      allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      allowHeaders: ['Authorization', 'Content-Type', 'If-None-Match', 'X-Request-Id'],
      exposeHeaders: EXPOSED_HEADERS,
      maxAge: 86_400,
    }),
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        const allow = [...methods, 'OPTIONS']
        const detail = `${c.req.method} is not supported here; use ${allow.join(', ')}.`
        const response = refuse(c, { refusal: new Refusal('method_not_allowed', detail, { allow }) })
        copyCorsHeaders(c.res, response)
        return response
      },
    }),
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new Refusal('body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`)
      },
    }),
    async (c, next) => {
      const scope = c.get('scope')
      c.set('now', scope.now)
      c.set('deps', parts.deps(c.env, scope))
      await next()
    },
  )
  for (const route of parts.routes) mount(app, route)
  app.notFound((c) =>
    refuse(c, { refusal: new Refusal('unknown_path', `There is nothing at ${c.req.path}.`) }),
  )
  app.onError((error, c) => refuse(c, asRefused(error)))
  return app
}

const noStoreByDefault: MiddlewareHandler = async (c, next) => {
  await next()
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
}

/** Copies what cors() and requestId() have set on a response to the one that replaces it. */
function copyCorsHeaders(from: Response, to: Response): void {
  for (const [name, value] of from.headers) {
    if (name.startsWith('access-control-') || name === 'x-request-id') to.headers.set(name, value)
  }
}

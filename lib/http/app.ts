import type { Hono, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { HonoBase } from 'hono/hono-base'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import { TrieRouter } from 'hono/router/trie-router'
import { sqlStateOf, unavailability } from '../db/failures.ts'
import { Refusal } from '../refusal.ts'
import type { Session } from '../session/token.ts'
import { problemResponse, problems } from './problems.ts'

/** What a handler finds in its context: the Worker's bindings, and per request its id, its clock and its dependencies. */
export type AppEnv<Bindings extends object, Deps> = {
  Bindings: Bindings
  Variables: { requestId: string; now: Date; deps: Deps; session: Session }
}

/** The Hono application of one Worker. */
export type App<Bindings extends object, Deps> = Hono<AppEnv<Bindings, Deps>>

/** Bodies above this are refused with 413. */
export const MAX_BODY_BYTES = 64 * 1024

/** Response headers a browser page may read (CORS). */
const EXPOSED_HEADERS = ['ETag', 'Link', 'Retry-After', 'RateLimit-Policy', 'X-Request-Id']

/**
 * Builds a Worker's application: request id, CORS, body limit and the one error shape around `routes`.
 * `deps` is called once per request with the bindings, the request's `now`, and what lets work outlive the answer.
 */
export function createApp<Bindings extends object, Deps>(parts: {
  routes: (app: App<Bindings, Deps>) => void
  deps: (env: Bindings, now: Date, background: (work: Promise<unknown>) => void) => Deps
}): App<Bindings, Deps> {
  // The one router that methodNotAllowed brings along anyway; unlike hono/tiny's it tells /agents from /agents/.
  const app: App<Bindings, Deps> = new HonoBase<AppEnv<Bindings, Deps>>({ router: new TrieRouter() })
  app.use(
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
        const allow = [...methods, 'OPTIONS'].join(', ')
        return problemResponse(
          new Refusal('method_not_allowed', `${c.req.method} is not supported here; use ${allow}.`, {
            headers: { allow, ...corsHeadersOf(c.res) },
          }),
          { url: c.req.url, id: c.get('requestId') },
        )
      },
    }),
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new Refusal('body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`)
      },
    }),
    async (c, next) => {
      const now = new Date()
      c.set('now', now)
      c.set(
        'deps',
        parts.deps(c.env, now, (work) => c.executionCtx.waitUntil(work)),
      )
      await next()
    },
  )
  parts.routes(app)
  app.notFound((c) =>
    problemResponse(new Refusal('unknown_path', `There is nothing at ${c.req.path}.`), {
      url: c.req.url,
      id: c.get('requestId'),
    }),
  )
  app.onError((error, c) =>
    problemResponse(asRefusal(error, c.get('requestId')), { url: c.req.url, id: c.get('requestId') }),
  )
  return app
}

const noStoreByDefault: MiddlewareHandler = async (c, next) => {
  await next()
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
}

/** The headers that cors() and requestId() have set on a response that is about to be replaced. */
function corsHeadersOf(response: Response): Record<string, string> {
  return Object.fromEntries(
    [...response.headers].filter(([name]) => name.startsWith('access-control-') || name === 'x-request-id'),
  )
}

/** The caller's view of any error: refusals as they are, an unreachable dependency as 503, the rest as a bare 500. */
function asRefusal(error: Error, requestId: string): Refusal {
  if (error instanceof Refusal) {
    const { cause } = error
    if (problems[error.code].status >= 500)
      logFailure(error.code, requestId, cause instanceof Error ? cause.message : error.message)
    return error
  }
  const outage = unavailability(error)
  if (outage) {
    logFailure('dependency_unavailable', requestId, outage)
    return new Refusal('dependency_unavailable', 'The database did not answer; please try again.', {
      retryAfterSeconds: 2,
    })
  }
  const sqlState = sqlStateOf(error)
  logFailure('internal_error', requestId, sqlState === undefined ? error.name : `SQLSTATE ${sqlState}`)
  return new Refusal('internal_error', 'Something went wrong on our side; the request id helps us find it.')
}

/** One JSON line. Error messages stay out of it: a driver's message holds the statement's parameters. */
function logFailure(code: string, requestId: string, reason: string) {
  console.error(JSON.stringify({ level: 'error', code, requestId, reason }))
}

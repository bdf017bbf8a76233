import type { Context, Hono, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { HonoBase } from 'hono/hono-base'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import { TrieRouter } from 'hono/router/trie-router'
import { sqlStateOf, unavailability } from '../db/failures.ts'
import { createMeter, type Meter } from '../meter.ts'
import { Refusal } from '../refusal.ts'
import type { Session } from '../session/token.ts'
import { problemResponse, problems } from './problems.ts'
import { logRequest, type RequestRecord, routePatterns } from './request-log.ts'

/** What a handler finds in its context: the Worker's bindings, and per request its id, its clock and its dependencies. */
export type AppEnv<Bindings extends object, Deps> = {
  Bindings: Bindings
  Variables: { requestId: string; now: Date; deps: Deps; session: Session } & Internals
}

/** What the middleware below keeps for itself. */
type Internals = { scope: RequestScope; refused: Pick<RequestRecord, 'code' | 'reason'> | undefined }

/** What a Worker's dependencies are built from, besides its bindings. */
export type RequestScope = {
  now: Date
  /** Milliseconds since the request began. */
  elapsed: () => number
  /** Lets work outlive the answer. */
  background: (work: Promise<unknown>) => void
  /** Counts what the dependencies ask of other systems, for the log. */
  meter: Meter
}

/** The Hono application of one Worker. */
export type App<Bindings extends object, Deps> = Hono<AppEnv<Bindings, Deps>>

/** Bodies above this are refused with 413. */
export const MAX_BODY_BYTES = 64 * 1024

/** Response headers a browser page may read (CORS). */
const EXPOSED_HEADERS = ['ETag', 'Link', 'Retry-After', 'RateLimit-Policy', 'X-Request-Id']

/**
 * Builds a Worker's application: one log line, request id, CORS, body limit and the one error shape around `routes`.
 * `deps` is called once per request.
 */
export function createApp<Bindings extends object, Deps>(parts: {
  routes: (app: App<Bindings, Deps>) => void
  deps: (env: Bindings, request: RequestScope) => Deps
}): App<Bindings, Deps> {
  // The one router that methodNotAllowed brings along anyway; unlike hono/tiny's it tells /agents from /agents/.
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
        const allow = [...methods, 'OPTIONS'].join(', ')
        const refusal = new Refusal(
          'method_not_allowed',
          `${c.req.method} is not supported here; use ${allow}.`,
          { headers: { allow, ...corsHeadersOf(c.res) } },
        )
        return refuse(c, { refusal })
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
  parts.routes(app)
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

/** The headers that cors() and requestId() have set on a response that is about to be replaced. */
function corsHeadersOf(response: Response): Record<string, string> {
  return Object.fromEntries(
    [...response.headers].filter(([name]) => name.startsWith('access-control-') || name === 'x-request-id'),
  )
}

/** What the caller is told, and for a fault of ours what only the log is told. */
type Refused = { refusal: Refusal; reason?: string }

/** The error response, noted for the request's log line. */
function refuse<Bindings extends object, Deps>(
  c: Context<AppEnv<Bindings, Deps>>,
  { refusal, reason }: Refused,
): Response {
  c.set('refused', { code: refusal.code, ...(reason === undefined ? {} : { reason }) })
  return problemResponse(refusal, { url: c.req.url, id: c.get('requestId') })
}

/**
 * Any error as a refusal: refusals as they are, an unreachable dependency as 503, the rest as a bare 500. The
 * reason is never a driver's message, which holds the statement's parameters.
 */
function asRefused(error: Error): Refused {
  if (error instanceof Refusal) {
    if (problems[error.code].status < 500) return { refusal: error }
    const { cause } = error
    return { refusal: error, reason: cause instanceof Error ? cause.message : error.message }
  }
  const outage = unavailability(error)
  if (outage) {
    const detail = 'The database did not answer; please try again.'
    return {
      refusal: new Refusal('dependency_unavailable', detail, { retryAfterSeconds: 2 }),
      reason: outage,
    }
  }
  const sqlState = sqlStateOf(error)
  return {
    refusal: new Refusal(
      'internal_error',
      'Something went wrong on our side; the request id helps us find it.',
    ),
    reason: sqlState === undefined ? error.name : `SQLSTATE ${sqlState}`,
  }
}

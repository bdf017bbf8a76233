import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HonoBase } from 'hono/hono-base'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { TrieRouter } from 'hono/router/trie-router'
import { errors } from '../../schema/errors.ts'
import { ApiError } from '../api-error.ts'
import { outageReason, reasonOf } from '../db/failures.ts'
import type { App, AppEnv, RequestScope } from './context.ts'
import { mount, type Operation } from './operation.ts'
import { type ProblemMembers, problemResponse } from './problems.ts'
import { routePatterns } from './request-log.ts'
import { requestMiddleware } from './request-middleware.ts'

/** Larger bodies are rejected with 413. */
const MAX_BODY_BYTES = 64 * 1024

/**
 * Builds a Worker's application: log line, request id, CORS, body limit and error responses around `routes`.
 * Calls `deps` once per request.
 */
export function createApp<Bindings extends object, Deps>(parts: {
  routes: Operation<Deps>[]
  deps: (env: Bindings, request: RequestScope) => Deps
  /** Extra members that a protocol needs in its errors. */
  problemMembers?: ProblemMembers
}): App<Bindings, Deps> {
  const { problemMembers } = parts
  // methodNotAllowed bundles this router anyway; unlike hono/tiny's it distinguishes /agents from /agents/.
  const app: App<Bindings, Deps> = new HonoBase<AppEnv<Bindings, Deps>>({ router: new TrieRouter() })
  app.use(
    requestMiddleware(routePatterns(app)),
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        const allow = [...methods, 'OPTIONS']
        const detail = `${c.req.method} is not supported here; use ${allow.join(', ')}.`
        return answerError(
          c,
          { error: new ApiError('method_not_allowed', detail, { allow }) },
          problemMembers,
        )
      },
    }),
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new ApiError('body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`)
      },
    }),
    async (c, next) => {
      c.set('deps', parts.deps(c.env, c.get('scope')))
      await next()
    },
  )
  for (const route of parts.routes) mount(app, route)
  app.notFound((c) =>
    answerError(
      c,
      { error: new ApiError('unknown_path', `There is nothing at ${c.req.path}.`) },
      problemMembers,
    ),
  )
  app.onError((error, c) => answerError(c, apiErrorOf(error), problemMembers))
  return app
}

/** The error for the caller, and for an error of the service the reason, for the log only. */
type Answer = { error: ApiError; reason?: string }

/** Makes the error response, and sets the error for the request's log line. */
function answerError<Bindings extends object, Deps>(
  c: Context<AppEnv<Bindings, Deps>>,
  { error, reason }: Answer,
  members?: ProblemMembers,
): Response {
  c.set('refused', { code: error.code, ...(reason === undefined ? {} : { reason }) })
  return problemResponse(error, { url: c.req.url, id: c.get('requestId') }, members)
}

/**
 * Turns any error into an ApiError: an unreachable dependency into 503, other unexpected errors into a bare
 * 500. The reason is never a driver's message, because that contains the statement's parameters.
 */
function apiErrorOf(error: Error): Answer {
  if (error instanceof ApiError) {
    if (errors[error.code].status < 500) return { error }
    const { cause } = error
    return { error, reason: cause instanceof Error ? cause.message : error.message }
  }
  const reason = reasonOf(error)
  if (outageReason(error) !== undefined) {
    const detail =
      'The database did not answer. A write may still have been done: read the state before you repeat it.'
    return { error: new ApiError('dependency_unavailable', detail, { retryAfterSeconds: 2 }), reason }
  }
  const detail = 'The service failed. Report it with the request id.'
  return { error: new ApiError('internal_error', detail), reason }
}

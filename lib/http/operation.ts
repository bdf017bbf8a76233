import type { MiddlewareHandler } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { GenericSchema, InferOutput } from 'valibot'
import type { Session } from '../auth/session/token.ts'
import type { Db } from '../db/connect.ts'
import { sha256Hex } from '../keys/bytes.ts'
import type { App, AppEnv } from './context.ts'
import { textOf } from './json.ts'
import type { AnswerSchemas, AnswerTo, OperationDocs } from './operation-docs.ts'
import { type LimitName, limitByAddress } from './rate-limit.ts'
import type { SessionAccess } from './session.ts'
import { type InputSchemas, readInput, readJsonText } from './validate.ts'

type Schema = GenericSchema<unknown, unknown>

/**
 * Access that is neither public nor by a session: by a key in the path, or a code or token in the body. The
 * middleware checks and limits it, unless the handler does so.
 */
export type OtherAccess = { stages: (limit: LimitName) => MiddlewareHandler[] }

/**
 * The callers of an operation: anyone, the holder of a key, code or token, or a wallet with a session and
 * permissions.
 */
type Access = 'public' | OtherAccess | SessionAccess

/** Returns the access of an operation that needs a session; undefined for any other. */
export const sessionAccessOf = (access: Access): SessionAccess | undefined =>
  access !== 'public' && 'permissions' in access ? access : undefined

/** The input of a handler: the validated parts of the request, and the session. */
type OperationRequest<Deps, Who extends Access, Query, Params, Body> = {
  deps: Deps
  session: Who extends SessionAccess ? Session : undefined
  query: Query
  params: Params
  body: Body
  /** Reads the unparsed body of an operation with a `textBody`. */
  text: () => Promise<string>
  now: Date
  url: string
  headers: Headers
}

/** Declares everything about an operation except its use case. */
type Declaration = InputSchemas & {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /v1, in OpenAPI's notation: `/agents/{id}`. A well-known path is complete. */
  path: string
  access: Access
  /**
   * The rate limiter: per address if the operation is public, otherwise per wallet or key. Calls with a
   * session also count by their address (ADDRESS_LIMIT). An access without middleware ignores it.
   */
  limit: LimitName
  /** Describes a JSON body that the handler parses itself, because its errors have another shape. */
  textBody?: Schema
  /** Gives the answer an ETag, so that an unchanged answer is a 304 without a body. */
  conditional?: true
  docs: OperationDocs<AnswerSchemas>
}

/** An operation as the application and the API description see it. */
export type Operation<Deps> = Declaration & {
  handle(request: OperationRequest<Deps, Access, unknown, unknown, unknown>): Response | Promise<Response>
}

/**
 * The access and the limits that a Worker's bindings and dependencies allow. A session needs the public keys
 * (SESSION_JWKS), ADDRESS_LIMIT, and a database that checks the session epoch.
 */
type AccessBy<Bindings, Deps> = [Bindings, Deps] extends [
  { SESSION_JWKS: string; ADDRESS_LIMIT: unknown },
  { db: Db },
]
  ? Access
  : 'public' | OtherAccess
type LimitBy<Bindings> = Extract<keyof Bindings, LimitName>

/**
 * Declares operations of a Worker with these bindings and dependencies. The handler's input has the types of
 * the schemas, and its answer must have a type of `docs.answers`.
 */
export const operationFor =
  <Bindings extends object, Deps>() =>
  <
    Who extends AccessBy<Bindings, Deps>,
    Answers extends AnswerSchemas,
    Query extends Schema,
    Params extends Schema,
    Body extends Schema,
  >(
    route: Omit<Declaration, 'access' | 'limit' | 'params' | 'query' | 'body' | 'docs'> & {
      access: Who
      limit: LimitBy<Bindings>
      params?: Params
      query?: Query
      body?: Body
      docs: OperationDocs<Answers>
      handle(
        request: OperationRequest<Deps, Who, InferOutput<Query>, InferOutput<Params>, InferOutput<Body>>,
      ): AnswerTo<Answers> | Promise<AnswerTo<Answers>>
    },
  ): Operation<Deps> =>
    route

const BASE_PATH = '/v1'

/**
 * Patterns of path parameters. Only a text in the format of an id matches `id`, so that GET /agents/register
 * is a wrong method.
 */
const PARAMETERS: Record<string, string> = { id: '{[0-9a-fA-F-]{36}}' }

/** Checks for a well-known path, which is at the host's root (RFC 8615) and not below the version. */
export const isWellKnown = (path: string): boolean => path.startsWith('/.well-known/')

/** Converts a path to the router's notation: `/agents/{id}` becomes `/v1/agents/:id{…}`. */
const patternOf = (path: string): string =>
  (isWellKnown(path) ? '' : BASE_PATH) +
  path.replace(/\{(\w+)\}/g, (_all, name: string) => `:${name}${PARAMETERS[name] ?? ''}`)

/** Adds an operation to the application. The root path works with and without its slash. */
export function mount<Bindings extends object, Deps>(app: App<Bindings, Deps>, route: Operation<Deps>): void {
  const paths = route.path === '/' ? [BASE_PATH, `${BASE_PATH}/`] : [patternOf(route.path)]
  app.on(route.method, paths, ...stagesOf(route))
}

/**
 * Returns the middleware of an operation in order: limit by address, session or key, limit by wallet or key,
 * ETag, then validation and use case.
 */
function stagesOf<Deps>(route: Operation<Deps>): MiddlewareHandler[] {
  const { access, limit } = route
  return [
    ...(access === 'public' ? [limitByAddress(limit)] : access.stages(limit)),
    ...(route.conditional ? [revalidated] : []),
    handlerOf(route),
  ]
}

const handlerOf =
  <Deps>(route: Operation<Deps>): MiddlewareHandler<AppEnv<object, Deps>> =>
  async (c) =>
    route.handle({
      ...(await readInput(route, c.req.raw, c.req.param())),
      deps: c.get('deps'),
      session: c.get('session'),
      text: () => readJsonText(c.req.raw),
      now: c.get('now'),
      url: c.req.url,
      headers: c.req.raw.headers,
    })

const conditional = etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'cdn-cache-control', 'link'] })

/**
 * Middleware of a `conditional` operation. The answer carries an ETag. Unless the handler sets cache-control,
 * it must be revalidated before reuse (`no-cache`). So a client reads its own writes, and an unchanged answer
 * is a 304 without a body.
 */
const revalidated: MiddlewareHandler = (c, next) =>
  conditional(c, async () => {
    await next()
    const { res } = c
    if (!res.ok) return
    if (!res.headers.has('cache-control')) res.headers.set('cache-control', 'no-cache')
    const text = textOf(res)
    // For any other answer, such as a file, the library reads the body to make the ETag.
    if (text !== undefined) res.headers.set('etag', `"${await sha256Hex(text)}"`)
  })

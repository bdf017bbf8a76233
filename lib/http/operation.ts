import type { MiddlewareHandler } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { GenericSchema, InferOutput } from 'valibot'
import type { Session } from '../auth/session/token.ts'
import type { Db } from '../db/connect.ts'
import { sha256Hex } from '../keys/bytes.ts'
import type { App, AppEnv } from './context.ts'
import { textOf } from './json.ts'
import type { AnswerSchemas, AnswerTo, OperationWords } from './operation-words.ts'
import { type LimitName, limitByAddress } from './rate-limit.ts'
import type { SessionAccess } from './session.ts'
import { type InputSchemas, readInput, readJsonText } from './validate.ts'

type Schema = GenericSchema<unknown, unknown>

/** Access by a key in the path: the checks, and what counts the calls of a key. */
export type KeyAccess = { stages: (limit: LimitName) => MiddlewareHandler[] }

/** Who may call an operation: anyone, who has a key, or a wallet with a session and perhaps a permission. */
type Access = 'public' | KeyAccess | SessionAccess

/** What an operation asks of a session; undefined of one that needs none. */
export const sessionOf = (access: Access): SessionAccess | undefined =>
  access !== 'public' && 'permissions' in access ? access : undefined

/** What a handler is given: the validated parts of the request, and whose session it is. */
type OperationRequest<Deps, Who extends Access, Query, Params, Body> = {
  deps: Deps
  session: Who extends SessionAccess ? Session : undefined
  query: Query
  params: Params
  body: Body
  /** The body as it was sent, where the operation has a `textBody`. */
  text: () => Promise<string>
  now: Date
  url: string
  headers: Headers
}

/** Everything about an operation but its use case: the one place that says so. */
type Declaration = InputSchemas & {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /v1, in OpenAPI's notation: `/agents/{id}`; a well-known one is as it stands. */
  path: string
  access: Access
  /** The rate limiter that counts its calls: by address when it is public, else by wallet or by key. */
  limit: LimitName
  /** Describes a JSON body that the handler reads itself: a fault in it is answered in another shape. */
  textBody?: Schema
  /** Whether the answer has an ETag, so that an unchanged one costs a 304 without a body. */
  conditional?: true
  words: false | OperationWords<AnswerSchemas>
}

/** An operation as the application and the API description see it. */
export type Operation<Deps> = Declaration & {
  handle(request: OperationRequest<Deps, Access, unknown, unknown, unknown>): Response | Promise<Response>
}

/**
 * The access and the limits that a Worker's bindings and dependencies allow: a session needs the public keys,
 * a limit, and a database that asserts it.
 */
type AccessBy<Bindings, Deps> = [Bindings, Deps] extends [
  { SESSION_JWKS: string; ADDRESS_LIMIT: unknown },
  { db: Db },
]
  ? Access
  : 'public' | KeyAccess
type LimitBy<Bindings> = Extract<keyof Bindings, LimitName>

/**
 * Declares operations of a Worker with these bindings and dependencies. The compiler gives the handler what
 * its schemas parse to, and holds its answer against the schemas of `words.answers`.
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
    route: Omit<Declaration, 'access' | 'limit' | 'params' | 'query' | 'body' | 'words'> & {
      access: Who
      limit: LimitBy<Bindings>
      params?: Params
      query?: Query
      body?: Body
      words: false | OperationWords<Answers>
      handle(
        request: OperationRequest<Deps, Who, InferOutput<Query>, InferOutput<Params>, InferOutput<Body>>,
      ): AnswerTo<Answers> | Promise<AnswerTo<Answers>>
    },
  ): Operation<Deps> =>
    route

const BASE_PATH = '/v1'

/**
 * What may stand for a path parameter. Only what looks like an id is one: GET /agents/register is a wrong
 * method.
 */
const PARAMETERS: Record<string, string> = { id: '{[0-9a-fA-F-]{36}}' }

/** Well-known addresses stand at the host's root (RFC 8615), every other path below the version. */
export const isWellKnown = (path: string): boolean => path.startsWith('/.well-known/')

/** A path as the router writes it: `/agents/{id}` is `/v1/agents/:id{…}`. */
const patternOf = (path: string): string =>
  (isWellKnown(path) ? '' : BASE_PATH) +
  path.replace(/\{(\w+)\}/g, (_all, name: string) => `:${name}${PARAMETERS[name] ?? ''}`)

/** Adds an operation to the application. The root answers with and without its slash. */
export function mount<Bindings extends object, Deps>(app: App<Bindings, Deps>, route: Operation<Deps>): void {
  const paths = route.path === '/' ? [BASE_PATH, `${BASE_PATH}/`] : [patternOf(route.path)]
  app.on(route.method, paths, ...stagesOf(route))
}

/**
 * What a request passes, in this order: how often its address calls, who calls and how often, whether its
 * answer is known, then validation and use case.
 */
function stagesOf<Deps>(route: Operation<Deps>): MiddlewareHandler[] {
  const { access, limit } = route
  return [
    ...(access === 'public' ? [limitByAddress(limit)] : access.stages(limit)),
    ...(route.conditional ? [publicRead] : []),
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
 * For a public read: the answer carries an ETag and may be stored but not used unasked (`no-cache`), so a
 * client reads its own writes and an unchanged answer costs a 304 without a body.
 */
const publicRead: MiddlewareHandler = (c, next) =>
  conditional(c, async () => {
    await next()
    const { res } = c
    if (!res.ok) return
    if (!res.headers.has('cache-control')) res.headers.set('cache-control', 'no-cache')
    const text = textOf(res)
    // Of any other answer, a file's, the library reads the body a second time.
    if (text !== undefined) res.headers.set('etag', `"${await sha256Hex(text)}"`)
  })

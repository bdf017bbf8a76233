import { type ErrorCode, errors, titleOf } from '../../../schema/errors.ts'
import { Problem } from '../../../schema/wire/problem.ts'
import { sessionAccessOf } from '../../http/operation.ts'
import type { AnswerSchemas, OperationDocs } from '../../http/operation-docs.ts'
import { linksOf } from './links.ts'
import { permissionsOf, type Route } from './routes.ts'
import { mediaOf } from './schemas.ts'

type Json = Record<string, unknown>
type Words = OperationDocs<AnswerSchemas>

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Headers that answers share. */
const headers: Record<string, string> = {
  'X-Request-Id': 'Identifies the request.',
  'WWW-Authenticate': 'What is wrong with the token, or which permission it lacks (RFC 6750).',
  'Retry-After': 'Seconds to wait.',
  'RateLimit-Policy': 'The exceeded limit: its name, the number of requests and the seconds.',
}

const header = (description: string) => ({ description, schema: { type: 'string' } })

/** Returns a route's successful answers, with links to operations of `routes`. */
export function successesOf(route: Route, words: Words, routes: readonly Route[]): Json {
  const answers = Object.entries(words.answers).map(([status, answer]) => [
    status,
    {
      description: answer.description,
      headers: {
        'X-Request-Id': ref('headers', 'X-Request-Id'),
        ...Object.fromEntries(
          Object.entries(answer.headers ?? {}).map(([name, text]) => [name, header(text)]),
        ),
      },
      ...(answer.schema || answer.mediaType ? { content: contentOf(answer) } : {}),
      ...(answer.links && answer.schema ? { links: linksOf(answer.links, answer.schema, routes) } : {}),
    },
  ])
  return {
    ...Object.fromEntries(answers),
    ...(route.conditional ? { 304: ref('responses', 'NotModified') } : {}),
  }
}

const contentOf = ({ mediaType = 'application/json', schema, example }: Words['answers'][number]): Json => ({
  [mediaType]: schema
    ? mediaOf(schema, example)
    : {
        schema: { type: mediaType === 'text/html' ? 'string' : 'object' },
        ...(example === undefined ? {} : { example }),
      },
})

/** Returns a route's errors by status: the use case's, and the errors that its declaration implies. */
function errorsOf(route: Route, words: Words): Map<number, ErrorCode[]> {
  const { access, params, query, body, textBody } = route
  const codes: ErrorCode[] = [
    ...(params || query || body ? (['invalid_request'] as const) : []),
    ...(body ? (['malformed_json'] as const) : []),
    ...(body || textBody ? (['body_too_large', 'unsupported_media_type'] as const) : []),
    ...(sessionAccessOf(access) ? (['token_missing', 'token_invalid', 'session_revoked'] as const) : []),
    ...(permissionsOf(route).length > 0 ? (['permission_missing'] as const) : []),
    ...words.errors,
    'rate_limited',
    'internal_error',
  ]
  return Map.groupBy([...new Set(codes)], (code) => errors[code].status)
}

/** Returns the name of an answer with one of these codes: `InvalidRequestOrMalformedJson`. */
const nameOf = (codes: ErrorCode[]): string =>
  codes.map((code) => code.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())).join('Or')

/**
 * Shares the error answers of all operations: the document's components have each shared answer once.
 * @returns the components, and a function for the answers of an operation that refer to them
 */
export function shareErrors(operations: { route: Route; words: Words }[]): {
  components: Json
  responsesOf: (route: Route, words: Words) => Json
} {
  const groups = operations.flatMap(({ route, words }) => [...errorsOf(route, words).values()])
  const byName = Map.groupBy(groups, nameOf)
  const isShared = (codes: ErrorCode[]) => (byName.get(nameOf(codes))?.length ?? 0) > 1
  const shared = [...byName].flatMap(([name, [codes]]) =>
    codes && isShared(codes) ? [[name, errorResponse(codes)] as const] : [],
  )
  const used = new Set(groups.flat())
  return {
    components: {
      headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, header(text)])),
      examples: Object.fromEntries([...used].sort().map((code) => [code, { value: problemExample(code) }])),
      responses: {
        NotModified: { description: 'Unchanged since the ETag in If-None-Match.' },
        ...Object.fromEntries(shared.toSorted(([a], [b]) => (a < b ? -1 : 1))),
      },
    },
    responsesOf: (route, words) =>
      Object.fromEntries(
        [...errorsOf(route, words)].map(([status, codes]) => [
          status,
          isShared(codes) ? ref('responses', nameOf(codes)) : errorResponse(codes),
        ]),
      ),
  }
}

/** Headers of errors by status, in addition to the request's id. */
const HEADERS_BY_STATUS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit-Policy'],
  503: ['Retry-After'],
}

function errorResponse(codes: ErrorCode[]): Json {
  const status = codes[0] && errors[codes[0]].status
  const names = ['X-Request-Id', ...((status && HEADERS_BY_STATUS[status]) || [])]
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}`).join('\n\n'),
    headers: Object.fromEntries(names.map((name) => [name, ref('headers', name)])),
    content: {
      'application/json': {
        schema: mediaOf(Problem).schema,
        examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
      },
    },
  }
}

const problemExample = (code: ErrorCode) => ({
  type: `https://api.agentcred.example/v1/docs#error-${code}`,
  title: titleOf(code),
  status: errors[code].status,
  detail: `${titleOf(code)}.`,
  code,
  requestId: 'b0f1a2c3-d4e5-4f60-8172-93a4b5c6d7e8',
})

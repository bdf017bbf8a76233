import type { Placed } from './description.ts'
import { OVERRIDES } from './overrides.ts'

export type Values = Record<string, unknown>

/** An operation's request, from the examples of its description. Some values are variables. */
type Request = { path: Values; query: Values; body?: unknown }

/** The fields that a sample omits unless they are required. */
const LEFT_OUT = ['limit', 'cursor', 'pageSize', 'pageToken', 'agentId']

/**
 * Returns whether a value is a variable of the guide "Try the examples": `$NAME`, or `#NAME` for a number.
 */
export const isVariable = (value: unknown): value is string =>
  typeof value === 'string' && /^[$#][A-Z]+$/.test(value)

/** Returns the request of an operation's sample. */
export function requestOf({ operation }: Placed): Request {
  const { parameters = [], requestBody } = operation
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters
        .filter(
          (one) =>
            one.in === place && one.example !== undefined && (one.required || !LEFT_OUT.includes(one.name)),
        )
        .map(({ name, example }) => [name, example]),
    )
  const [media] = Object.values(requestBody?.content ?? {})
  const { path, query, body } = OVERRIDES[operation.operationId] ?? {}
  return {
    path: { ...valuesIn('path'), ...path },
    query: { ...valuesIn('query'), ...query },
    ...(media && { body: body ? defined({ ...(media.example as object), ...body }) : media.example }),
  }
}

const defined = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Returns whether an operation opens a WebSocket, which curl can't. */
export const isSocket = ({ operation }: Placed): boolean => '101' in operation.responses

/**
 * Returns the path and query of a request.
 * @param write formats a value for the address
 * @throws Error for a path parameter without an example
 */
export function addressOf(
  { method, path }: Placed,
  request: Request,
  write: (value: unknown) => string,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = request.path[name]
    if (value === undefined) throw new Error(`${method} ${path} has no example of ${name}`)
    return write(value)
  })
  const query = Object.entries(request.query).map(([name, value]) => `${name}=${write(value)}`)
  return `${filled === '/' ? '' : filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

/** The media type of forms. */
export const FORM = 'application/x-www-form-urlencoded'

/** Returns whether an operation takes a form. */
export const isForm = ({ operation }: Placed): boolean => FORM in (operation.requestBody?.content ?? {})

/**
 * Writes the body of a form.
 * @param write formats a value that is no variable's name as it is
 */
export const formOf = (body: unknown, writeVariable: (value: string) => string): string =>
  Object.entries(Object(body))
    .map(
      ([name, value]) =>
        `${name}=${isVariable(value) ? writeVariable(value) : encodeURIComponent(String(value))}`,
    )
    .join('&')

/** Operations that only the service's own page may call, which sends its origin. */
export const isOfPage = ({ operation }: Placed): boolean => OF_PAGE.includes(operation.operationId)

const OF_PAGE = ['getConsentChallenge', 'giveConsent', 'getConnectionChallenge', 'createConnection']

/** Returns whether an operation takes messages of MCP. */
export const isMcp = ({ operation }: Placed): boolean => operation.operationId.startsWith('callMcp')

/** Returns MCP's headers, which repeat parts of the body. */
export function mcpHeaders(placed: Placed, body: unknown): [string, string][] {
  if (!isMcp(placed)) return []
  const { method, params } = body as {
    method: string
    params: { name: string; _meta: Record<string, unknown> }
  }
  return [
    ['mcp-protocol-version', String(params._meta['io.modelcontextprotocol/protocolVersion'])],
    ['mcp-method', method],
    ['mcp-name', params.name],
    ['accept', 'application/json, text/event-stream'],
  ]
}

import { AMOUNT_FIELDS } from '../../../client/generated/facts.ts'
import type { Placed } from './description.ts'

type Values = Record<string, unknown>

/** An operation's request, made of the examples of its description. */
type Example = { path: Values; query: Values; body?: unknown }

/** What a reader would leave out of a first request, unless it is required. */
const LEFT_OUT = ['limit', 'cursor', 'pageSize', 'pageToken', 'agentId']

function exampleOf({ operation }: Placed): Example {
  const { parameters = [], requestBody } = operation
  const values = (place: string) =>
    Object.fromEntries(
      parameters
        .filter(
          (one) =>
            one.in === place && one.example !== undefined && (one.required || !LEFT_OUT.includes(one.name)),
        )
        .map(({ name, example }) => [name, example]),
    )
  const [media] = Object.values(requestBody?.content ?? {})
  return { path: values('path'), query: values('query'), ...(media && { body: media.example }) }
}

/** Whether an operation opens a WebSocket, which is none of curl's. */
const isSocket = ({ operation }: Placed): boolean => '101' in operation.responses

/**
 * Writes the curl line of an operation's example; undefined for a WebSocket. `$API` is the base address,
 * `$TOKEN` a session token.
 * @throws Error for a path parameter without an example
 */
export function curlOf(placed: Placed): string | undefined {
  const { method, path, operation } = placed
  if (isSocket(placed)) return undefined
  const example = exampleOf(placed)
  const { body } = example
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = example.path[name]
    if (value === undefined) throw new Error(`${method} ${path} has no example of ${name}`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams(
    Object.entries(example.query).map(([name, value]) => [name, String(value)]),
  )
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
  const base = operation.servers ? '${API%/v1}' : '$API'
  const headers = [
    ...(operation.security.length > 0 ? ['"authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ["'content-type: application/json'"]),
    ...mcpHeaders(operation.operationId, body),
  ]
  return [
    `curl "${base}${filled === '/' ? '' : filled}${query.size > 0 ? `?${query}` : ''}"`,
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...headers.map((header) => `-H ${header}`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ].join(' ')
}

/** The headers of MCP say what the body says. */
function mcpHeaders(id: string, body: unknown): string[] {
  if (id !== 'callMcp') return []
  const { method, params } = body as {
    method: string
    params: { name: string; _meta: Record<string, unknown> }
  }
  const version = params._meta['io.modelcontextprotocol/protocolVersion']
  return [
    `'mcp-protocol-version: ${version}'`,
    `'mcp-method: ${method}'`,
    `'mcp-name: ${params.name}'`,
    "'accept: application/json, text/event-stream'",
  ]
}

/** What the client does by a flow of several steps; the flow takes these fields of the example's body. */
const FLOWS: Record<string, string> = {
  getChallenge: 'login()',
  login: 'login()',
  revokeSessions: 'revoke()',
  hireAgent: 'hire($)',
  stack: 'stake($)',
  unstack: 'unstake($)',
  claim: 'claim($)',
  closeLeftovers: 'closeLeftovers($)',
  fundBudget: 'fund($)',
  withdrawBudget: 'withdraw($)',
  openCollector: 'openCollector()',
  collect: 'collect($)',
}

/**
 * Whether the client has no call for it: pages, what is at the host's root, and MCP, which has its clients.
 */
const isOfOthers = ({ operation: { operationId, servers } }: Placed): boolean =>
  servers !== undefined || ['getReference', 'callMcp'].includes(operationId)

/** Writes the client's call of an operation's example; undefined where the client is not the one to call. */
export function clientCallOf(placed: Placed): string | undefined {
  if (isOfOthers(placed)) return undefined
  if (isSocket(placed))
    return 'for await (const event of client.events({ live: true })) console.log(event.type)'
  const { method, path, operation } = placed
  const { path: inPath, query, body } = exampleOf(placed)
  const flow = FLOWS[operation.operationId]
  // A flow says itself who signs first.
  const { signing: _, ...order } = (body ?? {}) as Values
  if (flow) return `await client.${flow.replace('$', () => literalOf(order))}`
  const parts = {
    ...(Object.keys(inPath).length > 0 && { path: inPath }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
  }
  const request = Object.keys(parts).length > 0 ? `, ${literalOf(parts)}` : ''
  return `await client.call('${method} ${path}'${request})`
}

/** Writes a value as TypeScript: amounts are bigint. */
function literalOf(value: unknown, name = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (typeof value === 'number' && AMOUNT_FIELDS.has(name)) return `${grouped(value)}n`
  if (Array.isArray(value)) return `[${value.map((member) => literalOf(member)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${/^[a-z]\w*$/i.test(key) ? key : `'${key}'`}: ${literalOf(member, key)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, '_')

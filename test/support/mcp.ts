import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { McpPath } from '../../lib/mcp/access.ts'
import { definitionOf } from '../../lib/mcp/catalog.ts'
import { META, MODERN_VERSION } from '../../lib/mcp/protocol.ts'
import type { VersionKind } from '../../lib/mcp/protocol-version.ts'
import { callsOf, tools } from '../../lib/mcp/tools.ts'
import { AGENT_ID, HIRE_ID, JOB_ID } from '../../schema/examples.ts'
import { operations } from './openapi-texts.ts'
import type { Service } from './service.ts'

export type Json = Record<string, unknown>

/** The `_meta` of every modern request. */
export const meta = { [META.version]: MODERN_VERSION, [META.capabilities]: {} }

/** Returns the headers of a modern request. */
export const modernHeaders = (method: string, name?: string): Record<string, string> => ({
  'content-type': 'application/json',
  'mcp-protocol-version': MODERN_VERSION,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
})

export type RawAnswer = { status: number; headers: Headers; body: Json; text: string }

/** Posts a body as it is. */
export async function post(
  service: Pick<Service, 'origin'>,
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  path: McpPath = '/mcp',
): Promise<RawAnswer> {
  const response = await fetch(`${service.origin}/v1${path}`, {
    method: 'POST',
    // workerd closes a connection on which it has refused a body unread: the next request needs its own.
    headers: typeof body === 'string' ? { ...headers, connection: 'close' } : headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : JSON.parse(text),
    text,
  }
}

/** Calls a tool as a modern client does, and returns the whole answer. */
export const callRaw = (
  service: Pick<Service, 'origin'>,
  name: string,
  args: unknown,
  headers: Record<string, string> = {},
  path?: McpPath,
): Promise<RawAnswer> =>
  post(
    service,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: meta } },
    { ...modernHeaders('tools/call', name), ...headers },
    path,
  )

/** Returns the official client, connected; with a session if it has a token. */
export async function connectClient(
  service: Pick<Service, 'origin'>,
  kind: VersionKind,
  token?: string,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: kind === 'modern' ? { pin: MODERN_VERSION } : 'legacy' } },
  )
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.origin}/v1/mcp`), { requestInit }),
  )
  return client
}

/** Arguments of tools for which their operation's examples do not suffice. */
const ARGUMENTS: Record<string, Json> = {
  set_agent_price: { id: AGENT_ID, feeModel: 'flat', feeAmount: '1' },
  report_charge: { hireId: HIRE_ID, reference: 'job', capturedValue: '1000000' },
  build_vault_transaction: { action: 'claim' },
  work_on_job: { action: 'deliver', id: JOB_ID, text: 'Hallo' },
  decide_job: { action: 'object', id: JOB_ID, reason: 'The headings are missing.' },
}

/** Returns the arguments that a tool needs, by the examples of its operation; amounts as text. */
export function argumentsOf(name: string): Json {
  const [tool, definition] = [tools[name], definitionOf(name)]
  if (!tool || !definition) throw new Error(`no tool ${name}`)
  if (ARGUMENTS[name]) return ARGUMENTS[name]
  const [call] = callsOf(tool)
  const operation = operations.find(({ method, path }) => method === call?.method && path === call.path)
  const examples: Json = {
    ...operation?.body?.example,
    ...Object.fromEntries((operation?.parameters ?? []).map(({ name, example }) => [name, example])),
  }
  const needed = (definition.inputSchema as { required?: string[] }).required ?? []
  const values = needed.map((argument) => {
    const { type, enum: [first] = [] } = Object(definition.inputSchema.properties[argument])
    const value = examples[argument] ?? first
    if (value === undefined) throw new Error(`${name} needs an example of ${argument}`)
    return [argument, type === 'string' ? String(value) : value]
  })
  return Object.fromEntries(values)
}

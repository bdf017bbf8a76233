import { UUID } from '../../schema/patterns.ts'
import { ApiError } from '../api-error.ts'
import { isAmount, type ToolDefinition } from './catalog.ts'
import type { Call, Tool } from './tools.ts'

/** A request to one of our Workers. */
export type ApiRequest = Pick<Call, 'worker' | 'method'> & {
  /** Below /v1, with its query. */
  path: string
  /** JSON. */
  body?: string
}

/**
 * Makes the API's request of a tool call. An argument of null is absent: models' providers send every
 * argument of a schema. The API checks the values; here an argument must belong to the tool, and only a UUID
 * becomes part of a path.
 * @throws ApiError invalid_request, with the argument
 */
export function apiRequest(
  tool: Tool,
  { inputSchema }: ToolDefinition,
  sent: Record<string, unknown>,
): ApiRequest {
  const args = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
  for (const field of Object.keys(sent)) {
    if (!Object.hasOwn(inputSchema.properties, field)) throw refused(field, 'is not an argument of this tool')
  }
  const { worker, method, path: template } = 'call' in tool ? tool.call : takeAction(tool.actions, args)
  const path = template.replace(/\{(\w+)\}/g, (_all, field: string) => takeId(args, field))
  const values = Object.entries(args).map(([field, value]) => [field, argumentOf(field, value)] as const)
  if (method === 'POST' || method === 'PATCH')
    return { worker, method, path, body: JSON.stringify(Object.fromEntries(values)) }
  return { worker, method, path: path + queryOf(values) }
}

function takeAction(actions: Record<string, Call>, args: Record<string, unknown>): Call {
  const { action } = args
  const call = typeof action === 'string' && Object.hasOwn(actions, action) ? actions[action] : undefined
  if (!call) throw refused('action', `must be ${Object.keys(actions).join(' or ')}`)
  delete args.action
  return call
}

function takeId(args: Record<string, unknown>, field: string): string {
  const value = args[field]
  if (typeof value !== 'string' || !UUID.test(value)) throw refused(field, 'must be a UUID')
  delete args[field]
  return value
}

/** Refuses nested values: writing one as JSON again could exhaust the stack before the API checks it. */
function argumentOf(field: string, value: unknown): Plain | Plain[] {
  if (isAmount(field)) {
    if (typeof value === 'string' && /^[0-9]{1,16}$/.test(value)) return Number(value)
    throw refused(field, 'must be a whole number as text, such as "1500000000"')
  }
  // A query would have U+FFFD in its place.
  if (typeof value === 'string' && !value.isWellFormed()) throw refused(field, 'must be well-formed Unicode')
  if (isPlain(value) || (Array.isArray(value) && value.every(isPlain))) return value
  throw refused(field, 'must be a string, a number, true or false, or a list of these')
}

type Plain = string | number | boolean

const isPlain = (value: unknown): value is Plain => ['string', 'number', 'boolean'].includes(typeof value)

function queryOf(values: (readonly [string, Plain | Plain[]])[]): string {
  const query = new URLSearchParams()
  for (const [field, value] of values) {
    if (Array.isArray(value)) throw refused(field, 'must be a single value')
    query.set(field, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

const refused = (path: string, message: string) =>
  new ApiError('invalid_request', `${path.slice(0, 100)} ${message}.`, {
    errors: [{ path: path.slice(0, 100), message }],
  })

import * as v from 'valibot'
import { unstorableTexts } from '../../schema/storable.ts'
import { ApiError, type FieldError } from '../api-error.ts'

type Schema = v.GenericSchema<unknown, unknown>

/** The schemas of a request's parts. */
export type InputSchemas = {
  params?: Schema
  query?: Schema
  body?: Schema
  /** An empty JSON body is read as `{}`. */
  bodyOptional?: true
  /** The body is a form (application/x-www-form-urlencoded), not JSON. */
  bodyForm?: true
}

/**
 * Parses the parts of a request that have a schema. Ignores unknown query parameters, and all but the first
 * value of a repeated one. Most bodies are a strictObject, which rejects unknown members. Bodies that OAuth
 * and x402 define ignore them, because other programs send more.
 * @throws ApiError invalid_request, malformed_json, unsupported_media_type
 */
export async function readInput(
  { params, query, body, bodyOptional, bodyForm }: InputSchemas,
  request: Request,
  pathParameters: Record<string, string>,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  return {
    params: params && parse(params, pathParameters),
    query: query && readQuery(query, request.url),
    body:
      body && parse(body, await (bodyForm ? readForm(request) : readBody(request, bodyOptional ?? false))),
  }
}

/** Parses the query of a URL, without the cost of parsing the whole URL. */
function readQuery(schema: Schema, url: string): unknown {
  const start = url.indexOf('?')
  const query = start < 0 ? '' : url.slice(start)
  const value = parse(schema, firstOfEach(query))
  // Only the escapes %80 to %FF can be invalid UTF-8; lower ones are ASCII.
  if (/%[89a-f]/i.test(query)) requireUtf8(Object(value), query)
  return value
}

/**
 * Rejects invalid UTF-8, which URLSearchParams decodes as U+FFFD, in the parameters that the schema has kept.
 * @throws ApiError invalid_request
 */
function requireUtf8(kept: object, query: string): void {
  // A client may send U+FFFD itself, as valid UTF-8.
  const decoded = firstOfEach(query.replaceAll(/%ef%bf%bd/gi, '_'))
  const path = Object.keys(kept).find((name) => decoded[name]?.includes('\ufffd'))
  if (path === undefined) return
  const error = { path, message: 'must be UTF-8' }
  throw new ApiError('invalid_request', sentence(error), { errors: [error] })
}

const firstOfEach = (query: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(query)].reverse())

async function readBody(request: Request, optional: boolean): Promise<object> {
  const text = await readUtf8(request)
  if (optional && text === '') return {}
  requireJson(request)
  return jsonObject(text)
}

/**
 * Reads a form. OAuth forbids repeated members (RFC 6749, 3.2).
 * @throws ApiError unsupported_media_type
 * @throws ApiError malformed_json for a form that is not UTF-8, the code of every body that can't be decoded
 * @throws ApiError invalid_request for a repeated member
 */
async function readForm(request: Request): Promise<object> {
  requireMediaType(request, 'application/x-www-form-urlencoded')
  const members = [...new URLSearchParams(await readUtf8(request))]
  const names = members.map(([name]) => name)
  const path = names.find((name, index) => names.indexOf(name) !== index)
  if (path === undefined) return Object.fromEntries(members)
  const error = cut({ path, message: 'must not be repeated' })
  throw new ApiError('invalid_request', sentence(error), { errors: [error] })
}

/**
 * Reads the unparsed text of a JSON body.
 * @throws ApiError unsupported_media_type
 * @throws ApiError malformed_json for a body that is not UTF-8
 */
export async function readJsonText(request: Request): Promise<string> {
  requireJson(request)
  return readUtf8(request)
}

/** Made once, since that takes longer than to decode a body. */
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Decodes a body as strict UTF-8. `Request.text` would replace invalid bytes with U+FFFD, and the service
 * would store another text than was sent.
 * @throws ApiError malformed_json
 */
async function readUtf8(request: Request): Promise<string> {
  const bytes = await request.arrayBuffer()
  try {
    return STRICT_UTF8.decode(bytes)
  } catch {
    throw new ApiError('malformed_json', 'The body is not UTF-8.')
  }
}

/**
 * The most errors of one answer. Without it, a list in a body of 64 KiB (the limit of app.ts) could cause an
 * answer of two megabytes.
 */
const MAX_ERRORS = 50
/** The most characters of an error's path. The name of an unknown field may be as long as a body. */
const MAX_PATH_LENGTH = 100

/**
 * Parses a value with a schema, and rejects texts that the database can not store.
 * @throws ApiError invalid_request with one entry for each invalid field, up to 50
 */
export function parse<S extends Schema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortPipeEarly: true })
  const errors = result.success
    ? unstorableTexts(result.output).slice(0, MAX_ERRORS).map(cut)
    : result.issues.slice(0, MAX_ERRORS).map(fieldError)
  if (result.success && errors.length === 0) return result.output
  const first = errors[0]
  throw new ApiError('invalid_request', first ? sentence(first) : 'The request is not valid.', { errors })
}

function fieldError(issue: v.BaseIssue<unknown>): FieldError {
  return cut({ path: v.getDotPath(issue) ?? '', message: phrase(issue) })
}

const cut = ({ path, message }: FieldError) => ({ path: path.slice(0, MAX_PATH_LENGTH), message })

/** The words for valibot's type names. */
const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'an object',
}

/** Rewrites `("a" | "b")` as `"a" or "b"`. */
const choice = (expected: string) => expected.replace(/^\((.*)\)$/, '$1').replaceAll(' | ', ' or ')

/**
 * Describes what a value must be, to follow the field's name. Never repeats the received value: the messages
 * in schema/wire are fixed texts (common.ts), which replace those of valibot.
 */
function phrase({ kind, type, expected, received, requirement, message }: v.BaseIssue<unknown>): string {
  if (kind === 'schema') {
    // strictObject expects "never" for an unknown key, and receives "undefined" for a missing key.
    if (type === 'strict_object' && expected === 'never') return 'is not a field of this request'
    if (type === 'never') return 'is not supported'
    if (received === 'undefined') return 'is required'
    return expected === null ? 'is not valid' : `must be ${KINDS[expected] ?? choice(expected)}`
  }
  switch (type) {
    case 'min_value':
      return `must be at least ${requirement}`
    case 'max_value':
      return `must be at most ${requirement}`
    case 'min_length':
      return `must have at least ${requirement} ${requirement === 1 ? 'entry' : 'entries'}`
    case 'max_length':
      return `must have at most ${requirement} entries`
    case 'min_code_points':
      return `must have at least ${requirement} characters`
    case 'max_code_points':
      return `must have at most ${requirement} characters`
    case 'safe_integer':
      return 'must be a whole number of at most 9007199254740991'
    default:
      return message
  }
}

const sentence = ({ path, message }: FieldError) => `${path === '' ? 'The body' : path} ${message}.`

const requireJson = (request: Request): void => requireMediaType(request, 'application/json')

function requireMediaType({ headers }: Request, required: string): void {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === required) return
  throw new ApiError('unsupported_media_type', `Send the body as ${required}.`)
}

function jsonObject(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid JSON.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new ApiError('invalid_request', 'The body must be a JSON object.', {
    errors: [{ path: '', message: 'must be a JSON object' }],
  })
}

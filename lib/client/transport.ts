import { AgentCredError } from './error.ts'
import type { Problem } from './generated/types.ts'
import { parseJson, writeJson } from './json.ts'
import type { AnyRequest } from './operations.ts'
import { throwIfAborted } from './waiting.ts'

/** The service's URL, and how to call it. */
export type Transport = { baseUrl: string; fetch: typeof globalThis.fetch; timeoutMs: number }

/**
 * Sends a request once.
 * @param operation `GET /agents/{id}`
 * @returns the body of a success
 * @throws AgentCredError; the signal's reason if it is aborted
 */
export async function sendOnce(
  { baseUrl, fetch, timeoutMs }: Transport,
  operation: string,
  { path, query, body, signal }: AnyRequest,
  token?: string,
): Promise<unknown> {
  const [method = '', template = ''] = operation.split(' ')
  const url = baseUrl + filled(template, path) + queryText(query)
  // React Native has neither AbortSignal.any nor AbortSignal.timeout.
  const attempt = new AbortController()
  const abort = () => attempt.abort()
  const request: RequestInit = {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    signal: attempt.signal,
    ...(body === undefined ? {} : { body: written(operation, body) }),
  }
  let response: Response
  let text: string
  const timer = setTimeout(abort, timeoutMs)
  signal?.addEventListener('abort', abort)
  try {
    throwIfAborted(signal)
    response = await fetch(url, request)
    text = await response.text()
  } catch (cause) {
    throwIfAborted(signal)
    throw new AgentCredError('unreachable', `${operation}: the service did not answer`, { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return bodyOf(operation, response, text)
}

/**
 * @throws AgentCredError `invalid_request` for an amount above the largest, or a body that JSON can't express
 */
function written(operation: string, body: unknown): string {
  try {
    return writeJson(body)
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new AgentCredError('invalid_request', `${operation}: ${said}`, { cause })
  }
}

function bodyOf(operation: string, { ok, status, headers }: Response, text: string): unknown {
  const body = parsed(text)
  if (ok && body !== undefined) return body
  const details = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterOf(headers),
  }
  if (!isProblem(body)) {
    const said = `${operation}: the answer with status ${status} is not from the service`
    throw new AgentCredError('unexpected_answer', said, details)
  }
  throw new AgentCredError(body.code, body.detail, { ...details, errors: body.errors, problem: body })
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body

function retryAfterOf(headers: Headers): number | undefined {
  const seconds = headers.get('retry-after')
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined
}

const filled = (template: string, path: AnyRequest['path'] = {}): string =>
  template.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(path[name])))

function queryText(query: AnyRequest['query'] = {}): string {
  // One by one, since React Native's constructor does not read a list of pairs.
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.append(name, String(value))
  const text = String(parameters)
  return text === '' ? '' : `?${text}`
}

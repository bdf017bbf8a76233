import { ApiError } from '../api-error.ts'
import { injected } from '../injected.ts'
import { isAmount } from './catalog.ts'
import type { ApiRequest } from './request.ts'
import type { WorkerName } from './tools.ts'

/**
 * The dependencies of a tool call: the Workers behind the tools, undefined where not deployed, and the
 * request id that their log lines share with this Worker's.
 */
export type Deps = { workers: Record<WorkerName, Pick<Fetcher, 'fetch'> | undefined>; requestId: string }

/** An answer of the API; amounts are decimal text. */
export type ApiAnswer = { status: number; body: Record<string, unknown>; retryAfter: string | null }

/** A service binding needs some URL. No name is looked up, and the caller names none. */
const ORIGIN = 'https://agentcred.internal'

/** Longer than any Worker waits for its database or for Solana. */
const TOOL_TIMEOUT_MS = injected('TOOL_TIMEOUT_MS') ?? 25_000

/**
 * The caller's headers that are forwarded: the session token and the address, so that the limits of a direct
 * call apply. Cloudflare overwrites an address that a client names; CF-Worker counts only from the address
 * of Workers (lib/http/client-address.ts).
 */
const FORWARDED = ['authorization', 'cf-connecting-ip', 'cf-worker']

/**
 * Sends a request to a Worker that is deployed (tools.ts, `isOffered`).
 * @throws ApiError dependency_unavailable if it does not answer in time, or not in JSON
 */
export async function send(deps: Deps, request: ApiRequest, caller: Headers): Promise<ApiAnswer> {
  const { worker, method, path, body } = request
  const headers = new Headers({ 'x-request-id': deps.requestId })
  if (body !== undefined) headers.set('content-type', 'application/json')
  for (const name of FORWARDED) {
    const value = caller.get(name)
    if (value !== null) headers.set(name, value)
  }
  try {
    const response = await (deps.workers[worker] as Pick<Fetcher, 'fetch'>).fetch(`${ORIGIN}/v1${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(TOOL_TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    })
    const answer = JSON.parse(await response.text(), withAmountsAsText)
    return { status: response.status, body: answer, retryAfter: response.headers.get('retry-after') }
  } catch (error) {
    const detail =
      'A part of the service did not answer. A write may still have been done: read the state before you repeat it.'
    throw new ApiError('dependency_unavailable', detail, {
      retryAfterSeconds: 2,
      cause: new Error(`${worker}: ${error instanceof Error ? error.name : 'no error'}`),
    })
  }
}

/** Keeps the text of an amount: its number is rounded above 2^53 (ES proposal, see lib/http/json.ts). */
const withAmountsAsText = (field: string, value: unknown, context?: { source: string }): unknown =>
  isAmount(field) && typeof value === 'number' ? context?.source : value

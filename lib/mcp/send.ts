import { Refusal } from '../refusal.ts'
import { isAmount } from './catalog.ts'
import type { ApiRequest } from './request.ts'
import type { WorkerName } from './tools.ts'

/**
 * What a tool call needs: the Workers behind the tools, as far as they are deployed, and the id that our log
 * lines share with theirs.
 */
export type Deps = { workers: Record<WorkerName, Pick<Fetcher, 'fetch'> | undefined>; requestId: string }

/** What the API answered; amounts are decimal text. */
export type ApiAnswer = { status: number; body: Record<string, unknown>; retryAfter: string | null }

/** The Workers are reached by binding: no name is looked up, and none is taken from the caller. */
const ORIGIN = 'https://agentcred.internal'

/** Longer than any of the Workers waits for the systems behind it. */
const TOOL_TIMEOUT_MS = 25_000

/**
 * The headers of the caller that are passed on: whose call it is, and from which address, so that guards and
 * limits are the same as of a direct call. Cloudflare overwrites an address that a client names; CF-Worker
 * counts only from the address of Workers (lib/http/client-address.ts).
 */
const FORWARDED = ['authorization', 'cf-connecting-ip', 'cf-worker']

/**
 * Asks a Worker, one that is deployed (catalog.ts, `isOffered`).
 * @throws Refusal dependency_unavailable when it does not answer, or not in JSON
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
      'A part of the service did not answer. A write may have been done: read the state before you repeat it.'
    throw new Refusal('dependency_unavailable', detail, {
      retryAfterSeconds: 2,
      cause: new Error(`${worker}: ${error instanceof Error ? error.name : 'no error'}`),
    })
  }
}

/** A number above 2^53 is rounded when it is parsed; its text is not (ES proposal, see lib/http/json.ts). */
const withAmountsAsText = (field: string, value: unknown, context?: { source: string }): unknown =>
  isAmount(field) && typeof value === 'number' ? context?.source : value

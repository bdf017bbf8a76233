import { isOnHost } from '../../schema/urls.ts'
import { isWebhookUrl } from '../../schema/webhook-url.ts'
import { injected } from '../injected.ts'
import { PROBE_TOKEN } from './robots.ts'

/** Time limit of an answer, including its body. */
const ANSWER_TIMEOUT_MS = injected('ANSWER_TIMEOUT_MS') ?? 10_000

/** The most bytes read of a decompressed body. */
export const MAX_BODY_BYTES = 64 * 1024

/** Dependencies of a request. */
export type AskDeps = {
  clock: () => Date
  /** The service's own hosts, comma separated, the present one first; they are never probed. */
  apiHost: string
  /** The end of the probe, after which no request starts or waits. */
  until: Date
}

export type Answer = {
  status: number
  headers: Headers
  latencyMs: number
  /** The body, if requested and not too long. */
  text?: string | undefined
}

export type Question = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  /**
   * Reads the body up to `maxBytes`. A longer body is cut off with `cut`, otherwise it counts as unreadable.
   * A stream that stays open is read until `isLast` accepts a line.
   */
  read?: { maxBytes: number; cut?: boolean; isLast?: (line: string) => boolean }
}

/** Checks that a URL may be probed: the same URLs as webhooks, and not the service itself. */
export const mayBeAsked = (url: string, apiHost: string): boolean =>
  isWebhookUrl(url) && !isOnHost(url, apiHost)

/**
 * Sends one request, without following redirects, for at most ten seconds and not beyond the probe's end.
 * @returns undefined if there was no answer in time, the requested body is not text, or the URL may not be
 *   probed
 */
export async function ask(
  { clock, apiHost, until }: AskDeps,
  url: string,
  { read, headers, ...request }: Question = {},
): Promise<Answer | undefined> {
  if (!mayBeAsked(url, apiHost)) return undefined
  const startedAt = clock().getTime()
  const timeoutMs = Math.min(ANSWER_TIMEOUT_MS, until.getTime() - startedAt)
  if (timeoutMs <= 0) return undefined
  try {
    const response = await fetch(url, {
      ...request,
      headers: {
        'user-agent': `${PROBE_TOKEN}/1 (+https://${apiHost.split(',', 1)[0]}/v1/docs)`,
        ...headers,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const latencyMs = Math.max(0, clock().getTime() - startedAt)
    const text = await bodyOf(response, read)
    return { status: response.status, headers: response.headers, latencyMs, text }
  } catch {
    return undefined
  }
}

async function bodyOf({ body }: Response, read: Question['read']): Promise<string | undefined> {
  if (read && body) return readText(body, read)
  // Not needed, and may be endless.
  body?.cancel().catch(() => {})
  return undefined
}

/**
 * Reads a body as text. Checks each line once, when it is complete, so that a body sent byte by byte costs
 * no more than one sent at once.
 */
async function readText(
  body: ReadableStream<Uint8Array>,
  { maxBytes, cut = false, isLast = () => false }: NonNullable<Question['read']>,
): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: !cut, ignoreBOM: false })
  let text = ''
  let line = ''
  let left = maxBytes
  // Leaving the loop cancels the body.
  for await (const chunk of body) {
    if (chunk.length > left && !cut) return undefined
    const added = decoder.decode(chunk.subarray(0, left), { stream: true })
    text += added
    left -= chunk.length
    const [first = '', ...others] = added.split('\n')
    const lines = [line + first, ...others]
    line = lines.pop() ?? ''
    // Without `cut`, only a further byte or the end shows whether the body is too long.
    if ((cut && left <= 0) || lines.some(isLast)) return text
  }
  return text
}

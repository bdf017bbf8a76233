import { isOnHost } from '../../schema/urls.ts'
import { isWebhookUrl } from '../../schema/webhook-url.ts'
import { PROBE_TOKEN } from './robots.ts'

/** After this an answer is no longer waited for, its body included. */
const ANSWER_TIMEOUT_MS = 10_000

/** The most that is read of a body, decompressed. */
export const MAX_BODY_BYTES = 64 * 1024

/** What asking needs. */
export type AskDeps = {
  clock: () => Date
  /** Our own hosts, comma separated, which are asked nothing: the present one first. */
  apiHost: string
  /** When the look ends that the question is a part of: after this nothing is asked or waited for. */
  until: Date
}

export type Answer = {
  status: number
  headers: Headers
  latencyMs: number
  /** The body, if it was asked for; undefined, too, when it is too long. */
  text?: string | undefined
}

type Question = {
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  /**
   * Reads the body: up to so many bytes, where it is `cut` off or else counts as unreadable; or, for a stream
   * that stays open, until it has had a `last` line.
   */
  read?: { maxBytes: number; cut?: boolean; isLast?: (line: string) => boolean }
}

/** Whether a URL may be asked: what webhooks may be sent to, and not we ourselves. */
export const mayBeAsked = (url: string, apiHost: string): boolean =>
  isWebhookUrl(url) && !isOnHost(url, apiHost)

/**
 * Asks a URL once. Follows no redirect, and never waits longer than ten seconds, nor after the look's end.
 * @returns undefined when there was no answer in time, its body was to be read and is no text, or the URL may
 *   not be asked
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
  // Not wanted, and may be endless.
  body?.cancel().catch(() => {})
  return undefined
}

/**
 * Each line is looked at once, when it is complete: a body that comes byte by byte costs no more than one
 * that comes at once.
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
    if (left <= 0 || lines.some(isLast)) return text
  }
  return text
}

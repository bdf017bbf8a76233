import { isOnHost } from '../../../schema/urls.ts'
import { isWebhookUrl } from '../../../schema/webhook-url.ts'
import { textWithin } from '../../body.ts'
import { utf8 } from '../../keys/bytes.ts'
import { logError } from '../../runtime/log.ts'
import type { Endpoint } from '../all-endpoint-queries.ts'
import { WEBHOOK_TIMEOUT_MS } from '../limits.ts'
import type { EventRow } from '../queries.ts'
import type { Answer, Result } from '../rules.ts'
import { eventText } from '../views.ts'
import type { DeliverDeps } from './deps.ts'
import { type Signers, signedHeaders } from './signing.ts'

const USER_AGENT = 'AgentCred-Webhooks/1.0'

/**
 * Sends an event to an endpoint once.
 * @returns the endpoint's answer or the failure, and the time until it
 * @throws if the signing keys or the newest secret are unavailable; nothing is sent then. A previous secret
 *   that can't be decrypted is only left out of the signatures
 */
export async function attempt(deps: DeliverDeps, endpoint: Endpoint, event: EventRow): Promise<Result> {
  const { text, ...result } = await post(deps, endpoint, { id: event.id, body: utf8(eventText(event)) })
  return result
}

/** The body to post; `answerLength` is the longest answer to read, in bytes: none by default. */
type Message = { id: string; body: Uint8Array<ArrayBuffer>; answerLength?: number }

/**
 * Posts a signed message to an endpoint once.
 * @returns the result, and the answer's text, if it was requested and is not too long
 * @throws as {@link attempt}
 */
export async function post(
  deps: DeliverDeps,
  endpoint: Endpoint,
  message: Message,
): Promise<Result & { text?: string | undefined }> {
  const signers = await signersOf(deps, endpoint)
  const startedAt = deps.elapsed()
  const answer = await answerTo(deps, endpoint.url, signers, message)
  return { ...answer, durationMs: Math.round(deps.elapsed() - startedAt) }
}

async function signersOf(deps: DeliverDeps, { id, secrets }: Endpoint): Promise<Signers> {
  const keys = await deps.signingKeys()
  if (secrets.length === 0) return { keys, secrets: [] }
  const secretKeys = await deps.secretKeys()
  const opened = await Promise.allSettled(secrets.map((encrypted) => secretKeys.open(id, encrypted)))
  if (opened.some(({ status }) => status === 'rejected')) {
    logError({ job: 'deliver', endpointId: id, reason: 'a secret cannot be decrypted: WEBHOOK_SECRETS_KEY' })
    deps.alert?.('AgentCred: a webhook secret cannot be decrypted. Check WEBHOOK_SECRETS_KEY', deps.clock())
  }
  const [newest] = opened
  if (newest?.status === 'rejected') throw newest.reason
  return { keys, secrets: opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])) }
}

async function answerTo(
  deps: DeliverDeps,
  url: string,
  signers: Signers,
  { id, body, answerLength = 0 }: Message,
): Promise<Answer & { text?: string | undefined }> {
  if (!isWebhookUrl(url) || isOnHost(url, deps.apiHost)) return { failure: 'url_refused' }
  const signed = await signedHeaders(signers, { id, at: deps.clock(), body })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    })
    const text = await beginningOf(response, answerLength)
    return { code: response.status, retryAfter: response.headers.get('retry-after'), text }
  } catch (error) {
    return { failure: error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable' }
  }
}

/** Reads an answer's text, unless it is too long. The status counts even if the reading fails. */
async function beginningOf(response: Response, length: number): Promise<string | undefined> {
  if (length > 0) return textWithin(response, length).catch(() => undefined)
  response.body?.cancel().catch(() => {})
  return undefined
}

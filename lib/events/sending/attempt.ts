import { isOnHost } from '../../../schema/urls.ts'
import { isWebhookUrl } from '../../../schema/webhook-url.ts'
import { utf8 } from '../../keys/bytes.ts'
import { logError } from '../../log.ts'
import type { Hook } from '../hook-queries.ts'
import type { EventRow } from '../queries.ts'
import type { Answer, Result } from '../rules.ts'
import { eventText } from '../views.ts'
import type { DeliverDeps } from './deps.ts'
import { type Signers, signedHeaders } from './signing.ts'

/** After this an endpoint's answer is no longer waited for. */
const WEBHOOK_TIMEOUT_MS = 15_000

const USER_AGENT = 'AgentCred-Webhooks/1.0'

/**
 * Sends an event to an endpoint once.
 * @returns what the endpoint answered, or why there was no answer, and how long that took
 * @throws what the keys are at fault for; nothing is sent then. A secret before the last rotation that does
 *   not open only signs no more
 */
export async function attempt(deps: DeliverDeps, hook: Hook, event: EventRow): Promise<Result> {
  const signers = await signersOf(deps, hook)
  const startedAt = deps.elapsed()
  const answer = await answerTo(deps, hook.url, signers, event)
  return { ...answer, durationMs: Math.round(deps.elapsed() - startedAt) }
}

async function signersOf(deps: DeliverDeps, { id, secrets }: Hook): Promise<Signers> {
  const keys = await deps.signingKeys()
  if (secrets.length === 0) return { keys, secrets: [] }
  const secretKeys = await deps.secretKeys()
  const [newest, ...previous] = await Promise.allSettled(secrets.map((sealed) => secretKeys.open(id, sealed)))
  if (newest?.status === 'rejected' || previous.some(({ status }) => status === 'rejected'))
    logError({ job: 'deliver', endpointId: id, reason: 'a secret does not open: WEBHOOK_SECRETS_KEY' })
  if (newest?.status === 'rejected') throw newest.reason
  const opened = [newest, ...previous].flatMap((its) => (its?.status === 'fulfilled' ? [its.value] : []))
  return { keys, secrets: opened }
}

async function answerTo(deps: DeliverDeps, url: string, signers: Signers, event: EventRow): Promise<Answer> {
  if (!isWebhookUrl(url) || isOnHost(url, deps.apiHost)) return { failure: 'url_refused' }
  const body = utf8(eventText(event))
  const signed = await signedHeaders(signers, { id: event.id, at: deps.clock(), body })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    })
    // The answer's body is not wanted, and may be endless.
    response.body?.cancel().catch(() => {})
    return { code: response.status, retryAfter: response.headers.get('retry-after') }
  } catch (error) {
    return { failure: error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable' }
  }
}

import { type ArrivedWebhook, bodyBytes, headerOf, WebhookRefused } from './arrived.ts'
import { fromBase64, utf8 } from './encoding.ts'
import type { Event } from './generated/types.ts'
import { parseJson } from './json.ts'

const TOLERANCE_SECONDS = 300

/** Keys or secrets for verification, at least one. If there is a secret, keys are not used. */
export type WebhookTrust = {
  /**
   * Public keys from GET /events/keys (`whpk_…`), for signatures `v1a`. They sign every wallet's events:
   * check the event's wallet.
   */
  keys?: readonly string[] | undefined
  /** Secrets of your endpoint, shared with the service (`whsec_…`), for signatures `v1`. */
  secrets?: readonly string[] | undefined
}

export type WebhookOptions = {
  /**
   * The most seconds that webhook-timestamp may differ; 300 by default, Infinity for a sender whose clock was
   * moved. Use more if a gateway delays webhooks, and store ids for the same time, to act once on each.
   */
  toleranceSeconds?: number | undefined
  /** Unix milliseconds. */
  now?: number | undefined
}

/** A verified webhook. `id` is the same in every delivery of the event: act on it once. */
export type VerifiedWebhook = { id: string; event: Event }

/**
 * Verifies a webhook by Standard Webhooks 1.0.0: by a secret if given, else by a public key. One valid
 * signature is enough; there are several while secrets or keys rotate.
 * @throws WebhookRefused; TypeError for an invalid key or secret, or a parsed body
 */
export async function verifyWebhook(
  { headers, body }: ArrivedWebhook,
  trust: WebhookTrust,
  options: WebhookOptions = {},
): Promise<VerifiedWebhook> {
  const bytes = bodyBytes(body)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  // Dots separate the signed parts. With a dot in the id, a part of the body could pass as the timestamp.
  if (id.includes('.')) throw new WebhookRefused('webhook-id has a dot')
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookRefused('webhook-timestamp is not a number of seconds')
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = options
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookRefused(
      `webhook-timestamp is more than ${toleranceSeconds} seconds off: if a gateway delays webhooks, raise toleranceSeconds`,
    )
  const signed = new Uint8Array([...utf8(`${id}.${timestamp}.`), ...bytes])
  if (!(await isSigned(signed, signatures, await verifiersOf(trust))))
    throw new WebhookRefused('webhook-signature has no valid signature by a known key')
  return { id, event: eventOf(bytes) }
}

/**
 * Returns the answer to a verified webhook that asks for a proof (`endpoint.verification`). Answer 2xx with
 * exactly this text as the body, and do nothing else. It shows the service that you want its events.
 * @param wallet the wallet whose events you want; by default any. Pass it if you verify by the service's
 *   keys: they sign for every wallet, and somebody else may have named your URL
 * @returns undefined for an event
 * @throws WebhookRefused for another wallet's request: answer with an error, or that wallet's events follow
 */
export async function answerChallenge(
  { event }: VerifiedWebhook,
  wallet?: string,
): Promise<string | undefined> {
  // JSON can also be a string or null, which are not events.
  const { type, data } = (event ?? {}) as {
    type?: unknown
    data?: { challenge?: unknown; wallet?: unknown }
  }
  if (type !== 'endpoint.verification' || typeof data?.challenge !== 'string') return undefined
  if (wallet !== undefined && data.wallet !== wallet)
    throw new WebhookRefused('another wallet asks to send its events here')
  const digest = await crypto.subtle.digest('SHA-256', utf8(data.challenge))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A key or secret: its version of signatures, and a function that checks one. */
type Verifier = { version: string; isBy: (signature: BufferSource, signed: BufferSource) => Promise<boolean> }

/**
 * Returns the verifiers of the secrets, if any. The service's key also signs strangers' events; a stranger
 * who sends them to this receiver does not have its secret.
 */
const verifiersOf = ({ keys = [], secrets = [] }: WebhookTrust): Promise<Verifier[]> => {
  const publicKeys = keys.map((key) => decoded(key, 'whpk_', 32))
  const shared = secrets.map((secret) => decoded(secret, 'whsec_'))
  return Promise.all(
    shared.length > 0
      ? shared.map((secret) => verifier('v1', secret, { name: 'HMAC', hash: 'SHA-256' }))
      : publicKeys.map((key) => verifier('v1a', key, 'Ed25519')),
  )
}

/** Makes a verifier. Web Crypto compares a MAC in constant time. */
async function verifier(
  version: string,
  bytes: Uint8Array<ArrayBuffer>,
  algorithm: 'Ed25519' | { name: 'HMAC'; hash: string },
): Promise<Verifier> {
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  const name = typeof algorithm === 'string' ? algorithm : algorithm.name
  return { version, isBy: (signature, signed) => crypto.subtle.verify(name, key, signature, signed) }
}

async function isSigned(signed: BufferSource, signatures: string[], verifiers: Verifier[]) {
  for (const text of signatures) {
    const [version, base64 = ''] = text.split(',')
    const signature = bytesOf(base64)
    for (const verifier of verifiers)
      if (signature && verifier.version === version && (await verifier.isBy(signature, signed))) return true
  }
  return false
}

function decoded(text: string, prefix: string, length?: number): Uint8Array<ArrayBuffer> {
  const bytes = text.startsWith(prefix) ? bytesOf(text.slice(prefix.length)) : undefined
  if (bytes?.length && bytes.length === (length ?? bytes.length)) return bytes
  // Don't repeat the text: it may be a secret that was passed in the wrong place.
  throw new TypeError(prefix === 'whpk_' ? 'not a whpk_ key' : 'not a whsec_ secret')
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return fromBase64(base64)
  } catch {
    return undefined
  }
}

function eventOf(body: Uint8Array): Event {
  try {
    return parseJson(new TextDecoder().decode(body)) as Event
  } catch {
    throw new WebhookRefused('the body is not JSON')
  }
}

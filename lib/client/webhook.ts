import { type ArrivedWebhook, bodyBytes, headerOf, WebhookRefused } from './arrived.ts'
import { fromBase64, utf8 } from './encoding.ts'
import type { Event } from './generated/types.ts'
import { parseJson } from './json.ts'

const TOLERANCE_SECONDS = 300

/** Keys or secrets to verify by: at least one. Where a secret is given, keys are not used. */
export type WebhookTrust = {
  /**
   * Public keys as GET /events/keys lists them (`whpk_…`), for signatures `v1a`. They sign every wallet's
   * events: check whose event it is.
   */
  keys?: readonly string[] | undefined
  /** Secrets of your endpoint, shared with the service (`whsec_…`), for signatures `v1`. */
  secrets?: readonly string[] | undefined
}

export type WebhookOptions = {
  /**
   * How far webhook-timestamp may be off; 300 unless given, Infinity for a sender whose clock was moved. A
   * higher one is for webhooks that a gateway holds back: keep ids as long, to act once on each.
   */
  toleranceSeconds?: number | undefined
  /** Unix milliseconds. */
  now?: number | undefined
}

/** A webhook that is verified. `id` is the same each time that the event is sent: act on it once. */
export type VerifiedWebhook = { id: string; event: Event }

/**
 * Verifies a webhook as Standard Webhooks 1.0.0 says: by a secret where one is given, else by a public key.
 * One good signature is enough: while secrets or keys rotate there are several.
 * @throws WebhookRefused; TypeError for a text that is not a key or secret, and for a body that was parsed
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
  // Dots separate the signed parts. If an id could hold one, part of the body could be taken for the
  // timestamp.
  if (id.includes('.')) throw new WebhookRefused('webhook-id has a dot')
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookRefused('webhook-timestamp is not a number of seconds')
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = options
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookRefused(
      `webhook-timestamp is more than ${toleranceSeconds} seconds off: if a gateway holds it back, raise toleranceSeconds`,
    )
  const signed = new Uint8Array([...utf8(`${id}.${timestamp}.`), ...bytes])
  if (!(await isSigned(signed, signatures, await verifiersOf(trust))))
    throw new WebhookRefused('webhook-signature has no valid signature by a known key')
  return { id, event: eventOf(bytes) }
}

/**
 * What to answer to a verified webhook that asks for a proof (`endpoint.verification`): 2xx with exactly this
 * text as its body, and nothing else is to be done about it. It tells the service that its events are wanted.
 * @param wallet whose events are wanted: any, unless given. Give it where you verify by the service's
 *   keys: they sign for every wallet, and somebody else may have named your URL
 * @returns undefined for an event
 * @throws WebhookRefused for another wallet's request: answer it with an error, or that wallet's events
 *   follow
 */
export async function answerChallenge(
  { event }: VerifiedWebhook,
  wallet?: string,
): Promise<string | undefined> {
  // JSON can also be a text or null, which are no event of ours.
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

/** One key or secret: the version of the signatures that it is for, and how to check one. */
type Verifier = { version: string; isBy: (signature: BufferSource, signed: BufferSource) => Promise<boolean> }

/**
 * Those of the secrets, if there are any: the one key of the service signs a stranger's events as well, and
 * whoever sends them to this receiver has no secret of it.
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

/** WebCrypto compares a MAC in constant time. */
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
  if (bytes && bytes.length === (length ?? bytes.length) && bytes.length > 0) return bytes
  // The text is not repeated: it may be a secret that was passed in the wrong place.
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

import {
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const TOLERANCE_SECONDS = 300

/** A webhook that is not verified; the message says why. */
export class WebhookRefused extends Error {}

/**
 * Parses the public keys that GET /events/keys lists, for {@link verifyWebhook}.
 * @param keys `whpk_` and the Base64 of 32 bytes each
 * @throws TypeError for anything else
 */
export const readWebhookKeys = (keys: readonly string[]): KeyObject[] =>
  keys.map((key) => {
    const bytes = Buffer.from(key.replace(/^whpk_/, ''), 'base64')
    if (!key.startsWith('whpk_') || bytes.length !== 32) throw new TypeError(`"${key}" is not a whpk_ key`)
    return createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
      format: 'jwk',
    })
  })

/**
 * Parses the secrets of endpoints, for {@link verifyWebhook}.
 * @param secrets `whsec_` and the Base64 of 24 bytes each
 * @throws TypeError for anything else; its message does not repeat the text
 */
export const readWebhookSecrets = (secrets: readonly string[]): KeyObject[] =>
  secrets.map((secret) => {
    const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    if (!secret.startsWith('whsec_') || bytes.length !== 24)
      throw new TypeError('a secret must begin with whsec_')
    return createSecretKey(bytes)
  })

/**
 * Verifies a webhook as Standard Webhooks 1.0.0 says: by a public key its asymmetric scheme v1a, by a secret
 * v1. One valid signature is enough: during a rotation there are several.
 * @param body the bytes as they arrived: JSON that was parsed and written again may have others
 * @param now Unix milliseconds; undefined accepts any timestamp, for a sender whose clock was moved
 * @returns the event's id, the same each time that the event is sent: act on it once
 * @throws WebhookRefused
 */
export function verifyWebhook(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  keys: readonly KeyObject[],
  now: number | undefined,
): string {
  const id = single(headers, 'webhook-id')
  const timestamp = single(headers, 'webhook-timestamp')
  // Dots separate the signed parts. If an id could hold one, part of the body could be taken for the
  // timestamp.
  if (id.includes('.')) throw new WebhookRefused('webhook-id has a dot')
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookRefused('webhook-timestamp is not a number of seconds')
  if (now !== undefined && Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new WebhookRefused('webhook-timestamp is more than 5 minutes off')
  }
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  const signatures = single(headers, 'webhook-signature').split(' ')
  if (!signatures.some((signature) => keys.some((key) => isBy(key, signature, signed)))) {
    throw new WebhookRefused('webhook-signature has no valid signature by a known key')
  }
  return id
}

/** Whether a signature, with its version, is that of a known key over these bytes. */
function isBy(key: KeyObject, signature: string, signed: Buffer): boolean {
  const [version, text = ''] = signature.split(',')
  const bytes = Buffer.from(text, 'base64')
  if (key.type === 'public') return version === 'v1a' && verify(null, signed, key, bytes)
  const expected = createHmac('sha256', key).update(signed).digest()
  return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

function single(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookRefused(`${name} is missing`)
}

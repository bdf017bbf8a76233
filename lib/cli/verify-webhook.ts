import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const TOLERANCE_SECONDS = 300

/** Why a webhook is not to be believed. */
export class WebhookRefused extends Error {}

/**
 * The public keys that GET /events/keys names, ready for {@link verifyWebhook}.
 * @param keys `whpk_` and the Base64 of 32 bytes each
 * @throws TypeError for what is no such key
 */
export const readWebhookKeys = (keys: readonly string[]): KeyObject[] =>
  keys.map((key) => {
    const bytes = Buffer.from(key.replace(/^whpk_/, ''), 'base64')
    if (!key.startsWith('whpk_') || bytes.length !== 32) throw new TypeError(`"${key}" is no whpk_ key`)
    return createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
      format: 'jwk',
    })
  })

/**
 * Verifies a webhook as Standard Webhooks 1.0.0 says, by its asymmetric scheme v1a.
 * @param body the very bytes that arrived: parsed and written anew, they would be others
 * @param now Unix milliseconds; undefined where the sender's clock is not the receiver's
 * @returns the event's id, the same each time that it is sent: what has been done for it must not be done
 *   again
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
  // Dots separate what is signed. Were they allowed within, a part of the body could pass for the timestamp.
  if (id.includes('.')) throw new WebhookRefused('webhook-id has a dot')
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookRefused('webhook-timestamp is no number of seconds')
  if (now !== undefined && Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new WebhookRefused('webhook-timestamp is more than 5 minutes off')
  }
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  // While the service's key is being changed there are two signatures; one by a key that we know is enough.
  const signatures = single(headers, 'webhook-signature')
    .split(' ')
    .filter((signature) => signature.startsWith('v1a,'))
    .map((signature) => Buffer.from(signature.slice('v1a,'.length), 'base64'))
  if (!signatures.some((signature) => keys.some((key) => verify(null, signed, key, signature)))) {
    throw new WebhookRefused('webhook-signature has no signature of this by a known key')
  }
  return id
}

function single(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookRefused(`${name} is missing`)
}

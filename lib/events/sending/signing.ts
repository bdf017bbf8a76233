import { base64 } from '@scure/base'
import { concat, utf8 } from '../../keys/bytes.ts'
import { importSigningKey, type SigningKey } from '../../keys/signing-key.ts'
import { memoized } from '../../runtime/cache.ts'

/*
 * Standard Webhooks 1.0.0: signatures over `id.timestamp.body`. The asymmetric scheme v1a uses Ed25519, with
 * the same keys for all endpoints. A secret key is `whsk_` and the Base64 of 64 bytes (seed and public key),
 * a public key `whpk_` and the Base64 of 32 bytes. The scheme v1 is HMAC-SHA256 with the endpoint's own
 * secrets.
 */

const SECRET_PREFIX = 'whsk_'

/**
 * Parses WEBHOOK_SIGNING_KEYS, once per isolate: secret keys separated by commas, oldest first; two during a
 * rotation.
 * @throws TypeError for an invalid key; its message does not repeat the text
 */
export const importWebhookKeys = (keys: string): Promise<SigningKey[]> => cached(keys)

const cached = memoized(1, (keys) => Promise.all(keys.split(',').map((key) => importKey(key.trim()))))

async function importKey(text: string): Promise<SigningKey> {
  if (!text.startsWith(SECRET_PREFIX)) throw new TypeError('a webhook signing key must begin with whsk_')
  return importSigningKey(base64.decode(text.slice(SECRET_PREFIX.length)))
}

/** The service's keys, and the endpoint's secrets, newest first. */
export type Signers = { keys: SigningKey[]; secrets: Uint8Array<ArrayBuffer>[] }

/**
 * Makes the headers that identify and sign one attempt. The body must be sent as exactly these bytes.
 * @param message.at the time of the attempt, used in whole seconds
 */
export async function signedHeaders(
  { keys, secrets }: Signers,
  message: { id: string; at: Date; body: Uint8Array },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000))
  const content = concat(utf8(`${message.id}.${timestamp}.`), message.body)
  const signatures = await Promise.all([
    ...secrets.map(async (secret) => `v1,${base64.encode(await hmac(secret, content))}`),
    ...keys.map(async (key) => `v1a,${base64.encode(await key.sign(content))}`),
  ])
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

async function hmac(secret: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
}

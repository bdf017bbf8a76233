import { base64 } from '@scure/base'
import { concat, utf8 } from '../../keys/bytes.ts'
import { importSigningKey, type SigningKey } from '../../keys/signing-key.ts'
import { memoized } from '../../runtime/cache.ts'

/*
 * Standard Webhooks 1.0.0: signatures over `id.timestamp.body`. By its asymmetric scheme v1a they are
 * Ed25519's, with keys for all endpoints: Base64, secret ones (64 bytes: seed and public key) behind `whsk_`,
 * public ones (32 bytes) behind `whpk_`. By v1 they are HMAC-SHA256 with the endpoint's own secrets.
 */

const SECRET_PREFIX = 'whsk_'

/**
 * Reads WEBHOOK_SIGNING_KEYS, once per isolate: secret keys, comma separated, oldest first; two while keys
 * rotate.
 * @throws TypeError for text that is not such a key; its message does not repeat the text
 */
export const importWebhookKeys = (keys: string): Promise<SigningKey[]> => kept(keys)

const kept = memoized(1, (keys) => Promise.all(keys.split(',').map((key) => importKey(key.trim()))))

async function importKey(text: string): Promise<SigningKey> {
  if (!text.startsWith(SECRET_PREFIX)) throw new TypeError('a webhook signing key must begin with whsk_')
  return importSigningKey(base64.decode(text.slice(SECRET_PREFIX.length)))
}

/** What signs what an endpoint is sent: the service's keys, and the endpoint's secrets, the newest first. */
export type Signers = { keys: SigningKey[]; secrets: Uint8Array<ArrayBuffer>[] }

/**
 * Makes the headers that identify and sign one attempt; the body must be sent as exactly these bytes.
 * @param message.at when the attempt is made, to whole seconds
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

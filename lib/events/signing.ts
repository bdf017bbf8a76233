import { base64 } from '@scure/base'
import { concat, utf8 } from '../crypto/bytes.ts'
import { importSigningKey, type SigningKey } from '../crypto/signing-key.ts'
import { keptOf } from '../kept.ts'

/*
 * Standard Webhooks 1.0.0 with the asymmetric scheme v1a: an Ed25519 signature over `id.timestamp.body`. Keys
 * are Base64, secret ones (64 bytes: seed and public key) behind `whsk_`, public ones (32 bytes) behind
 * `whpk_`.
 */

const SECRET_PREFIX = 'whsk_'

/**
 * Reads WEBHOOK_SIGNING_KEYS, once per isolate: secret keys, comma separated, oldest first; two while keys
 * rotate.
 * @throws TypeError for text that is not such a key; its message does not repeat the text
 */
export const importWebhookKeys = (keys: string): Promise<SigningKey[]> => kept(keys)

const kept = keptOf(1, (keys) => Promise.all(keys.split(',').map((key) => importKey(key.trim()))))

async function importKey(text: string): Promise<SigningKey> {
  if (!text.startsWith(SECRET_PREFIX)) throw new TypeError('a webhook signing key must begin with whsk_')
  return importSigningKey(base64.decode(text.slice(SECRET_PREFIX.length)))
}

/**
 * Makes the headers that identify and sign one attempt; the body must be sent as exactly these bytes.
 * @param at of the attempt, to whole seconds
 */
export async function signedHeaders(
  keys: SigningKey[],
  message: { id: string; at: Date; body: Uint8Array },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000))
  const content = concat(utf8(`${message.id}.${timestamp}.`), message.body)
  const signatures = await Promise.all(keys.map((key) => key.sign(content)))
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1a,${base64.encode(signature)}`).join(' '),
  }
}

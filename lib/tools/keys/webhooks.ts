import { base64 } from '@scure/base'
import { generateSecretKey } from './solana.ts'

/**
 * The two settings for webhook signatures: the jobs Worker's secret, and the keys that the events Worker
 * publishes.
 */
export type WebhookKeys = { WEBHOOK_SIGNING_KEYS: string; WEBHOOK_PUBLIC_KEYS: string }

/**
 * Makes a new Ed25519 key for webhook signatures, in the form of Standard Webhooks. The newest previous
 * secret key, if given, still signs, too, so that receivers have time to fetch the new public key.
 * @param previous WEBHOOK_SIGNING_KEYS of the deployment that the key is for, oldest first
 * @throws Error if the newest one is not a webhook key; it does not repeat the key
 */
export function generateWebhookKeys(previous?: string): WebhookKeys {
  const earlier = previous === undefined ? [] : [newestOf(previous)]
  const secret = [...earlier, `whsk_${base64.encode(generateSecretKey())}`]
  return {
    WEBHOOK_SIGNING_KEYS: secret.join(','),
    WEBHOOK_PUBLIC_KEYS: secret.map(webhookPublicKey).reverse().join(','),
  }
}

function newestOf(keys: string): string {
  const newest = keys.split(',').at(-1)?.trim() ?? ''
  if (/^whsk_[A-Za-z\d+/]{86}==$/.test(newest)) return newest
  throw new Error('WEBHOOK_SIGNING_KEYS must end with a secret webhook key (whsk_ and 64 bytes in Base64)')
}

const SECRETS_KEY_BYTES = 32

/**
 * Makes a new encryption key for webhook endpoints' secrets, with the next number as its name. Earlier keys
 * stay, to decrypt their secrets.
 * @param previous WEBHOOK_SECRETS_KEY of the deployment that the key is for
 * @throws Error if that is not a list of these keys; it does not repeat the keys
 */
export function generateSecretsKey(previous?: string): { WEBHOOK_SECRETS_KEY: string } {
  const earlier = previous === undefined ? [] : previous.split(',')
  const newest = earlier.length === 0 ? 0 : Number(/^(\d+):/.exec(earlier.at(-1)?.trim() ?? '')?.[1])
  if (Number.isNaN(newest)) throw new Error('WEBHOOK_SECRETS_KEY must end with a numbered key')
  const key = base64.encode(crypto.getRandomValues(new Uint8Array(SECRETS_KEY_BYTES)))
  return { WEBHOOK_SECRETS_KEY: [...earlier, `${newest + 1}:${key}`].join(',') }
}

/** Returns a secret key's public key, in the form of Standard Webhooks. */
export const webhookPublicKey = (secret: string): string =>
  `whpk_${base64.encode(base64.decode(secret.trim().slice('whsk_'.length)).subarray(32))}`

import { base64 } from '@scure/base'
import { generateSecretKey } from './solana.ts'

/**
 * The two settings for webhook signatures: the secret of the jobs Worker, and what the events Worker
 * publishes.
 */
export type WebhookKeys = { WEBHOOK_SIGNING_KEYS: string; WEBHOOK_PUBLIC_KEYS: string }

/**
 * Makes a new Ed25519 key for webhook signatures, in the form of Standard Webhooks. The newest of the
 * previous secret keys, if they are given, goes on signing beside it, so that receivers have time to fetch
 * the new public key.
 * @param previous WEBHOOK_SIGNING_KEYS of the deployment that the key is for, oldest first
 * @throws Error when the newest of them is not a webhook key; it does not repeat the key
 */
export function generateWebhookKeys(previous?: string): WebhookKeys {
  const kept = previous === undefined ? [] : [newestOf(previous)]
  const secret = [...kept, `whsk_${base64.encode(generateSecretKey())}`]
  return {
    WEBHOOK_SIGNING_KEYS: secret.join(','),
    WEBHOOK_PUBLIC_KEYS: secret.map(webhookPublicKey).reverse().join(','),
  }
}

function newestOf(keys: string): string {
  const newest = keys.split(',').at(-1)?.trim() ?? ''
  if (/^whsk_[A-Za-z\d+/]{86}==$/.test(newest)) return newest
  throw new Error(
    'WEBHOOK_SIGNING_KEYS does not end with a secret webhook key (whsk_ and 64 bytes in Base64)',
  )
}

const SECRETS_KEY_BYTES = 32

/**
 * Makes a new key that webhook endpoints' secrets are encrypted under, named by the number after the
 * newest one's. Those before stay, since what they have sealed has to be opened.
 * @param previous WEBHOOK_SECRETS_KEY of the deployment that the key is for
 * @throws Error when that is not such a list; it does not repeat the keys
 */
export function generateSecretsKey(previous?: string): { WEBHOOK_SECRETS_KEY: string } {
  const kept = previous === undefined ? [] : previous.split(',')
  const newest = kept.length === 0 ? 0 : Number(/^(\d+):/.exec(kept.at(-1)?.trim() ?? '')?.[1])
  if (Number.isNaN(newest)) throw new Error('WEBHOOK_SECRETS_KEY does not end with a numbered key')
  const key = base64.encode(crypto.getRandomValues(new Uint8Array(SECRETS_KEY_BYTES)))
  return { WEBHOOK_SECRETS_KEY: [...kept, `${newest + 1}:${key}`].join(',') }
}

/** Returns the public key of a secret one, in the form of Standard Webhooks. */
export const webhookPublicKey = (secret: string): string =>
  `whpk_${base64.encode(base64.decode(secret.trim().slice('whsk_'.length)).subarray(32))}`

import { base64 } from '@scure/base'
import { generateSecretKey } from './solana/keys.ts'

/** The two settings that webhook signatures need: the secret of the jobs Worker, and what the events Worker shows. */
export type WebhookKeys = { WEBHOOK_SIGNING_KEYS: string; WEBHOOK_PUBLIC_KEYS: string }

/**
 * Makes a new Ed25519 key for webhook signatures, as Standard Webhooks writes them. With the previous secret keys, the
 * newest of them goes on signing beside the new one, so that receivers have time to take over the new public key.
 * @param previous WEBHOOK_SIGNING_KEYS of the deployment that the key is for, oldest first
 */
export function generateWebhookKeys(previous?: string): WebhookKeys {
  const kept = previous === undefined ? [] : previous.split(',').slice(-1)
  const secret = [...kept, `whsk_${base64.encode(generateSecretKey())}`]
  return {
    WEBHOOK_SIGNING_KEYS: secret.join(','),
    WEBHOOK_PUBLIC_KEYS: secret.map(publicKeyOf).reverse().join(','),
  }
}

const publicKeyOf = (secret: string): string =>
  `whpk_${base64.encode(base64.decode(secret.trim().replace(/^whsk_/, '')).subarray(32))}`

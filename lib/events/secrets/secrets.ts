import { base64 } from '@scure/base'
import { concat, utf8 } from '../../keys/bytes.ts'
import { memoized } from '../../runtime/cache.ts'

/*
 * Secrets of endpoints: 24 random bytes, shown to their owner as `whsec_` and Base64. The database stores
 * them encrypted by AES-256-GCM under WEBHOOK_SECRETS_KEY, as `<name of the key>:<Base64 of nonce and
 * ciphertext>`. Each is bound to its endpoint's id and can't be decrypted in another row.
 */

const SECRET_PREFIX = 'whsec_'

const SECRET_BYTES = 24
const KEY_BYTES = 32
const NONCE_BYTES = 12

/** Encrypts and decrypts secrets. */
export type SecretKeys = {
  /** The names of the keys, oldest first. */
  names: readonly [string, ...string[]]
  encrypt(endpointId: string, secret: Uint8Array<ArrayBuffer>): Promise<string>
  /** @throws Error if the secret belongs to another endpoint, or its key is missing */
  open(endpointId: string, encrypted: string): Promise<Uint8Array<ArrayBuffer>>
}

/** A new secret: as shown to its owner, and encrypted as stored. */
export type NewSecret = { secret: string; encrypted: string }

/** The entrypoint WebhookSecrets of the jobs Worker. */
export type SecretMaker = { make(endpointId: string): Promise<NewSecret> }

/** Makes a secret for an endpoint. */
export async function makeSecret(keys: SecretKeys, endpointId: string): Promise<NewSecret> {
  const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return { secret: SECRET_PREFIX + base64.encode(secret), encrypted: await keys.encrypt(endpointId, secret) }
}

/**
 * Parses WEBHOOK_SECRETS_KEY, once per isolate: `1:<Base64 of 32 bytes>`, several separated by commas. The
 * last one encrypts. The others only decrypt secrets that they encrypted before.
 * @throws TypeError for any other text; its message does not repeat the text
 */
export const importSecretKeys = (text: string): Promise<SecretKeys> => cached(text)

const cached = memoized(1, async (text): Promise<SecretKeys> => {
  const named = await Promise.all(text.split(',').map(importKey))
  const keys = new Map(named)
  const newest = named.at(-1)
  const [first, ...others] = keys.keys()
  if (!newest || first === undefined || keys.size < named.length) throw new TypeError(INVALID_KEYS)
  return {
    names: [first, ...others],
    async encrypt(endpointId, secret) {
      const [name, key] = newest
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      const encrypted = await crypto.subtle.encrypt(cipher(nonce, endpointId), key, secret)
      return `${name}:${base64.encode(concat(nonce, new Uint8Array(encrypted)))}`
    },
    async open(endpointId, encrypted) {
      const [name = '', text = ''] = encrypted.split(':')
      const key = keys.get(name)
      if (!key)
        throw new Error(
          `WEBHOOK_SECRETS_KEY lacks the key that encrypted the secret of endpoint ${endpointId}`,
        )
      const bytes = new Uint8Array(base64.decode(text))
      const nonce = bytes.slice(0, NONCE_BYTES)
      return new Uint8Array(
        await crypto.subtle.decrypt(cipher(nonce, endpointId), key, bytes.slice(NONCE_BYTES)),
      )
    },
  }
})

const INVALID_KEYS =
  'WEBHOOK_SECRETS_KEY must be a list of unique names, each with a colon and 32 bytes in Base64'

async function importKey(entry: string): Promise<[name: string, key: CryptoKey]> {
  const [, name = '', text = ''] = /^(\w{1,16}):([A-Za-z\d+/]{43}=)$/.exec(entry.trim()) ?? []
  if (name === '') throw new TypeError(INVALID_KEYS)
  const bytes = new Uint8Array(base64.decode(text))
  if (bytes.length !== KEY_BYTES) throw new TypeError(INVALID_KEYS)
  return [name, await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])]
}

const cipher = (iv: Uint8Array<ArrayBuffer>, endpointId: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: utf8(`agentcred-webhook-secret:${endpointId}`),
})

import { base64urlnopad, hex } from '@scure/base'
import { concat, u32, utf8 } from '../../keys/bytes.ts'
import { memoized } from '../../runtime/cache.ts'

/*
 * The key in a facilitator's URL: 16 bytes of the agent's id, 4 of the key version, and an HMAC-SHA256 of
 * these (32 bytes), in Base64url. The HMAC is checked without the database. Each call's statement checks
 * whether the version is the agent's newest.
 */

/** An agent's key. It keeps strangers from spending its owner's credit. */
type FacilitatorKey = { agentId: string; keyVersion: number }

const ID_BYTES = 16
const HEAD_BYTES = 20
const KEY_BYTES = 52
const KEY_LENGTH = 70
const SECRET_BYTES = 32
const MAX_KEY_VERSION = 2 ** 31 - 1

/**
 * Makes the text of a key.
 * @param setting X402_KEY_SECRET: secrets of at least 32 random bytes, Base64url, separated by commas. The
 *   last is the newest and makes keys; every one verifies keys
 * @throws TypeError with the name of the setting
 */
export async function writeFacilitatorKey(
  setting: string,
  { agentId, keyVersion }: FacilitatorKey,
): Promise<string> {
  const head = concat(hex.decode(agentId.replaceAll('-', '')), u32(keyVersion))
  const mac = await crypto.subtle.sign('HMAC', await macKey(readKeySecrets(setting).at(-1) ?? ''), head)
  return base64urlnopad.encode(concat(head, new Uint8Array(mac)))
}

/** Parses a key that this service has made; returns undefined for any other text. */
export async function readFacilitatorKey(setting: string, text: string): Promise<FacilitatorKey | undefined> {
  const bytes = decode(text)
  if (bytes?.length !== KEY_BYTES) return undefined
  const head = bytes.slice(0, HEAD_BYTES)
  const mac = bytes.slice(HEAD_BYTES)
  // The runtime compares in constant time.
  const isOf = async (secret: string) => crypto.subtle.verify('HMAC', await macKey(secret), mac, head)
  const checked = await Promise.all(readKeySecrets(setting).map(isOf))
  if (!checked.includes(true)) return undefined
  const keyVersion = new DataView(head.buffer).getUint32(ID_BYTES, true)
  if (keyVersion < 1 || keyVersion > MAX_KEY_VERSION) return undefined
  return { agentId: uuidOf(head.subarray(0, ID_BYTES)), keyVersion }
}

/**
 * Parses the setting X402_KEY_SECRET.
 * @throws TypeError with the name of the setting, never its value
 */
export function readKeySecrets(setting: string): string[] {
  const secrets = setting.split(',')
  if (secrets.every((secret) => (bytesOf(secret)?.length ?? 0) >= SECRET_BYTES)) return secrets
  throw new TypeError('X402_KEY_SECRET must be secrets of 32 random bytes, Base64url, separated by commas')
}

const decode = (text: string) => (text.length === KEY_LENGTH ? bytesOf(text) : undefined)

function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(base64urlnopad.decode(text))
  } catch {
    return undefined
  }
}

const uuidOf = (bytes: Uint8Array): string =>
  hex.encode(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Derives a key once per isolate. During a rotation a deployment has two secrets. */
const macKey = memoized(2, async (secret): Promise<CryptoKey> => {
  const source = await crypto.subtle.importKey(
    'raw',
    new Uint8Array(base64urlnopad.decode(secret)),
    'HKDF',
    false,
    ['deriveKey'],
  )
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8('agentcred facilitator key') },
    source,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign', 'verify'],
  )
})

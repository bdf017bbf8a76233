import { generateKeyPairSync } from 'node:crypto'
import { base58 } from '@scure/base'
import { readKeyVersions, writeKeyVersions } from '../../keys/key-versions.ts'
import { addressOf } from '../../solana/address.ts'

/** A Solana secret key, 64 bytes: the Ed25519 seed, then the public key. */
export type SecretKey = Uint8Array<ArrayBuffer>

/** Makes a new key. */
export function generateSecretKey(): SecretKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return new Uint8Array([...seed, ...point])
}

/** Returns a key file's text: `solana-keygen`'s JSON array of 64 numbers. */
export const keyFileText = (key: SecretKey): string => `${JSON.stringify([...key])}\n`

/**
 * Parses the 64 bytes of a key, as a JSON array or in Base58; undefined for any other text. It does not check
 * that both halves belong together.
 */
export function parseKey(text: string): SecretKey | undefined {
  try {
    const trimmed = text.trim()
    const bytes: unknown = trimmed.startsWith('[') ? JSON.parse(trimmed) : [...base58.decode(trimmed)]
    return Array.isArray(bytes) && bytes.length === 64 && bytes.every(isByte)
      ? new Uint8Array(bytes)
      : undefined
  } catch {
    return undefined
  }
}

const isByte = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256

/** PAYMENTS_AUTHORITY_KEYS, secret, and PAYMENTS_AUTHORITY_ADDRESSES, public: by key version. */
type PaymentKeySettings = { PAYMENTS_AUTHORITY_KEYS: string; PAYMENTS_AUTHORITY_ADDRESSES: string }

/**
 * Adds a key of the payments authority to both settings, of the next version, or of the first. The older keys
 * stay, since their payout accounts need them to collect.
 * @throws TypeError that names the unreadable setting
 */
export function generatePaymentKeys(keys?: string, addresses?: string): PaymentKeySettings {
  const secrets = keys ? [...readKeyVersions('PAYMENTS_AUTHORITY_KEYS', keys)] : []
  const known = addresses ? [...readKeyVersions('PAYMENTS_AUTHORITY_ADDRESSES', addresses)] : []
  const keyVersion = Math.max(0, ...secrets.map(([number]) => number)) + 1
  const key = generateSecretKey()
  return {
    PAYMENTS_AUTHORITY_KEYS: writeKeyVersions([...secrets, [keyVersion, base58.encode(key)]]),
    PAYMENTS_AUTHORITY_ADDRESSES: writeKeyVersions([...known, [keyVersion, addressOf(key.subarray(32))]]),
  }
}

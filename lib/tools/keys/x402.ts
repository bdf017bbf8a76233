import { base58, base64urlnopad } from '@scure/base'
import { addressOf } from '../../solana/address.ts'
import { generateSecretKey, parseKey } from './solana.ts'

const SECRET_BYTES = 32

/** Makes a secret from which agents' facilitator keys are derived. */
export const generateKeySecret = (): string =>
  base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))

/** Adds a new secret to X402_KEY_SECRET. It makes keys from then on; earlier secrets still check keys. */
export const addKeySecret = (before?: string): { X402_KEY_SECRET: string } => ({
  X402_KEY_SECRET: [...(before ? [before] : []), generateKeySecret()].join(','),
})

/** Adds a new key to X402_FEE_PAYER_KEY. It is advertised from then on; earlier keys still sign. */
export const addFeePayer = (before?: string): { X402_FEE_PAYER_KEY: string } => ({
  X402_FEE_PAYER_KEY: [...(before ? [before] : []), base58.encode(generateSecretKey())].join(','),
})

/** Returns the newest fee payer's address. @throws TypeError that names the setting */
export function newestFeePayer(setting: string): string {
  const key = parseKey(setting.split(',').at(-1) ?? '')
  if (!key) throw new TypeError('X402_FEE_PAYER_KEY has a malformed key')
  return addressOf(key.subarray(32))
}

import { base58 } from '@scure/base'
import { readGenerations, writeGenerations } from '../../keys/generations.ts'
import { addressOf } from '../../solana/address.ts'
import { generateSecretKey } from './solana.ts'

/** PAYMENTS_AUTHORITY_KEYS, secret, and PAYMENTS_AUTHORITY_ADDRESSES, public: by key generation. */
type PaymentKeySettings = { PAYMENTS_AUTHORITY_KEYS: string; PAYMENTS_AUTHORITY_ADDRESSES: string }

/**
 * Makes a key of payments: of the first generation, or of the next beside those that there are, which go on
 * collecting with theirs.
 * @throws TypeError that names the setting that can't be read
 */
export function generatePaymentKeys(keys?: string, addresses?: string): PaymentKeySettings {
  const secrets = keys ? [...readGenerations('PAYMENTS_AUTHORITY_KEYS', keys)] : []
  const known = addresses ? [...readGenerations('PAYMENTS_AUTHORITY_ADDRESSES', addresses)] : []
  const generation = Math.max(0, ...secrets.map(([number]) => number)) + 1
  const key = generateSecretKey()
  return {
    PAYMENTS_AUTHORITY_KEYS: writeGenerations([...secrets, [generation, base58.encode(key)]]),
    PAYMENTS_AUTHORITY_ADDRESSES: writeGenerations([...known, [generation, addressOf(key.subarray(32))]]),
  }
}

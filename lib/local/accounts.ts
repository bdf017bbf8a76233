import { generateKeyPairSync } from 'node:crypto'
import { base58 } from '@scure/base'
import type { StateFolder } from './state.ts'

/** An Ed25519 key pair, as Web Crypto takes it. */
type AccountKey = { kty: 'OKP'; crv: 'Ed25519'; d: string; x: string }

/** The names of the accounts' keys in the state folder: a hirer's, an owner's, and the judge's. */
export const ACCOUNT_KEYS = ['hirer-key', 'owner-key', 'judge-key'] as const

/** The keys of the console's development wallet, in the order of {@link ACCOUNT_KEYS}. */
export type AccountKeys = [hirer: AccountKey, owner: AccountKey, judge: AccountKey]

/**
 * Returns the keys of the console's development wallet: one person can be each side of a job, and its judge.
 * The first start makes them.
 */
export const accountKeys = (state: Pick<StateFolder, 'read' | 'write'>): AccountKeys =>
  ACCOUNT_KEYS.map((name) => accountKey(state, name)) as AccountKeys

function accountKey(state: Pick<StateFolder, 'read' | 'write'>, name: string): AccountKey {
  const stored = state.read<AccountKey>(name)
  if (stored) return stored
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const key: AccountKey = { kty: 'OKP', crv: 'Ed25519', d, x }
  state.write(name, key)
  return key
}

/** Returns the wallet of an account's key. */
export const accountWallet = ({ x }: AccountKey): string => base58.encode(Buffer.from(x, 'base64url'))

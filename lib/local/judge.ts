import { generateKeyPairSync } from 'node:crypto'
import { base58 } from '@scure/base'
import type { StateFolder } from './state.ts'

/** An Ed25519 key pair, as Web Crypto takes it. */
export type JudgeKey = { kty: 'OKP'; crv: 'Ed25519'; d: string; x: string }

/** The name of the key in the state folder. */
export const JUDGE_KEY = 'judge-key'

/**
 * Returns the key of the platform's judge, an account of the console's development wallet. So one person can
 * be each side of a job. The first start makes it.
 */
export function judgeKey(state: Pick<StateFolder, 'read' | 'write'>): JudgeKey {
  const stored = state.read<JudgeKey>(JUDGE_KEY)
  if (stored) return stored
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const key: JudgeKey = { kty: 'OKP', crv: 'Ed25519', d, x }
  state.write(JUDGE_KEY, key)
  return key
}

/** Returns the wallet of a judge's key. */
export const judgeWallet = ({ x }: JudgeKey): string => base58.encode(Buffer.from(x, 'base64url'))

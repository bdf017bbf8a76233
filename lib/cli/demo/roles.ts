import { parseKey } from '../../tools/keys/solana.ts'
import { type KeyWallet, walletFromSecretKey } from '../wallet.ts'

/**
 * The wallet of an oracle or an operator, from the environment: a secret key in Base58, or a JSON array as
 * `solana-keygen` writes it. Undefined when the variable is not set.
 * @throws Error that names the variable, and does not repeat it, when it holds no secret key
 */
export function trustedWallet(variable: 'ORACLE_KEY' | 'OPERATOR_KEY'): KeyWallet | undefined {
  const text = process.env[variable]
  if (!text) return undefined
  const key = parseKey(text)
  if (!key) throw new Error(`${variable} is not a secret key (Base58 of 64 bytes, or a JSON array of them)`)
  return walletFromSecretKey(key)
}

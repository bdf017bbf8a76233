import { isAddress } from '../../solana/address.ts'
import type { RoleSettings } from './rules.ts'

/**
 * Checks who a setting gives a role to: Base58 wallets, comma separated; empty for nobody. A mistyped one
 * would give it to nobody, without a word.
 * @returns the setting as it is
 * @throws TypeError that names the setting
 */
export function checkedWallets(name: keyof RoleSettings, setting: string): string {
  const entries = setting.split(',').map((entry) => entry.trim())
  const wrong = entries.find((entry) => entry !== '' && !isAddress(entry))
  if (wrong !== undefined) throw new TypeError(`${name}: "${wrong}" is not a wallet’s address`)
  return setting
}

import { isAddress } from '../../solana/address.ts'

/**
 * Checks a setting of wallets: Base58, comma separated, may be empty. A mistyped wallet would otherwise be
 * ignored silently.
 * @returns the unchanged setting
 * @throws TypeError that names the setting and the invalid entry
 */
export function checkedWallets(name: string, setting: string): string {
  const entries = setting.split(',').map((entry) => entry.trim())
  const wrong = entries.find((entry) => entry !== '' && !isAddress(entry))
  if (wrong !== undefined) throw new TypeError(`${name}: "${wrong}" is not a wallet address`)
  return setting
}

import { CRED_DECIMALS } from '../../schema/amounts.ts'

/**
 * Parses the amount of a setting, of a coin with nine decimals, such as 0.01.
 * @returns its smallest units
 * @throws TypeError with the name of the invalid setting
 */
export function readCoins(name: string, text: string): bigint {
  const [, whole = '', fraction = ''] = /^(\d{1,6})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  const amount = BigInt(whole + fraction.padEnd(CRED_DECIMALS, '0'))
  if (whole === '' || amount === 0n) throw new TypeError(`${name} must be an amount above zero, such as 0.01`)
  return amount
}

import { type Address, publicKeyBytes } from '../../schema/wallet.ts'

/** The highest key version: it is a smallint in Postgres. */
const MAX_KEY_VERSION = 32_767

/**
 * Parses a setting with a value for each key version: `1:<value>,2:<value>`. Explicit numbers keep a
 * version's number when another one is removed. Otherwise every newer vault would be looked for at another
 * address.
 * @returns values by key version, oldest first
 * @throws TypeError that names the setting, never a value
 */
export function readKeyVersions(setting: string, text: string): Map<number, string> {
  const entries = text.split(',').map((entry): [number, string] => {
    const [, number = '', value = ''] = /^([1-9]\d{0,4}):([^:\s]+)$/.exec(entry.trim()) ?? []
    const keyVersion = Number(number)
    if (value === '' || keyVersion > MAX_KEY_VERSION) {
      throw new TypeError(`${setting} must be a list of key versions: 1:<Base58>,2:<Base58>`)
    }
    return [keyVersion, value]
  })
  const values = new Map(entries.toSorted(([one], [other]) => one - other))
  if (values.size < entries.length) throw new TypeError(`${setting} names a key version twice`)
  return values
}

/** @throws TypeError unless all settings have the same key versions */
export function requireSameKeyVersions(settings: Record<string, Map<number, unknown>>): void {
  const named = Object.entries(settings).map(([setting, values]) => [setting, [...values.keys()].join()])
  const [first, ...others] = named
  const other = others.find(([, keyVersions]) => keyVersions !== first?.[1])
  if (other) throw new TypeError(`${first?.[0]} and ${other[0]} must name the same key versions`)
}

/** Serializes a setting with several key versions. */
export const writeKeyVersions = (values: Iterable<readonly [number, string]>): string =>
  [...values].map(([keyVersion, value]) => `${keyVersion}:${value}`).join(',')

/**
 * Parses a setting with an address for each key version.
 * @throws TypeError that names the setting
 */
export const readAddresses = (setting: string, text: string): Map<number, Address> =>
  new Map(
    [...readKeyVersions(setting, text)].map(([keyVersion, value]) => [
      keyVersion,
      readAddress(setting, value),
    ]),
  )

/** @throws TypeError that names the setting */
export function readAddress(setting: string, text: string): Address {
  if (publicKeyBytes(text)) return text as Address
  throw new TypeError(`${setting} has an entry that is not an address`)
}

/**
 * Finds the key versions whose addresses differ from the deployed ones. The keys of a version never change,
 * because vaults and payout accounts depend on them. A version that is not recorded yet has not changed.
 */
export const changedKeyVersions = <Keys extends { keyVersion: number }>(
  named: Keys[],
  recorded: { [Name in keyof Keys]: Keys[Name] | null }[],
): number[] =>
  named
    .filter((keys) => {
      const known = recorded.find(({ keyVersion }) => keyVersion === keys.keyVersion)
      const names = Object.keys(keys) as (keyof Keys)[]
      return known && names.some((name) => known[name] !== null && known[name] !== keys[name])
    })
    .map(({ keyVersion }) => keyVersion)

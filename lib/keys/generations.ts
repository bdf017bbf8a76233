import { type Address, publicKeyBytes } from '../../schema/wallet.ts'

/** The newest key generation that a setting may name: PostgreSQL's smallint, and seeds of 32 bytes. */
const MAX_GENERATION = 32_767

/**
 * Reads a setting that has a value for each key generation: `1:<value>,2:<value>`. The names keep a
 * generation's number when another one is dropped: numbered by their place, every newer vault would be
 * looked for at another address.
 * @returns values by generation, the oldest first
 * @throws TypeError that names the setting, never a value
 */
export function readGenerations(setting: string, text: string): Map<number, string> {
  const entries = text.split(',').map((entry): [number, string] => {
    const [, number = '', value = ''] = /^([1-9]\d{0,4}):([^:\s]+)$/.exec(entry.trim()) ?? []
    const generation = Number(number)
    if (value === '' || generation > MAX_GENERATION) {
      throw new TypeError(`${setting} must name its generations: 1:<Base58>,2:<Base58>`)
    }
    return [generation, value]
  })
  const values = new Map(entries.toSorted(([one], [other]) => one - other))
  if (values.size < entries.length) throw new TypeError(`${setting} names a generation twice`)
  return values
}

/** @throws TypeError unless all settings name the same generations */
export function requireSameGenerations(settings: Record<string, Map<number, unknown>>): void {
  const named = Object.entries(settings).map(([setting, values]) => [setting, [...values.keys()].join()])
  const [first, ...others] = named
  const other = others.find(([, generations]) => generations !== first?.[1])
  if (other) throw new TypeError(`${first?.[0]} and ${other[0]} must name the same generations`)
}

/** Writes such a setting. */
export const writeGenerations = (values: Iterable<readonly [number, string]>): string =>
  [...values].map(([generation, value]) => `${generation}:${value}`).join(',')

/**
 * Reads such a setting whose values are addresses.
 * @throws TypeError that names the setting
 */
export const readAddresses = (setting: string, text: string): Map<number, Address> =>
  new Map(
    [...readGenerations(setting, text)].map(([generation, value]) => [
      generation,
      readAddress(setting, value),
    ]),
  )

/** @throws TypeError that names the setting */
export function readAddress(setting: string, text: string): Address {
  if (publicKeyBytes(text)) return text as Address
  throw new TypeError(`${setting} has an entry that is no address`)
}

/**
 * Finds the key generations with other addresses than were deployed. A generation's keys never
 * change: vaults and collectors were made with them. What is not recorded yet is no change.
 */
export const changedGenerations = <Keys extends { generation: number }>(
  named: Keys[],
  recorded: { [Name in keyof Keys]: Keys[Name] | null }[],
): number[] =>
  named
    .filter((keys) => {
      const known = recorded.find(({ generation }) => generation === keys.generation)
      const names = Object.keys(keys) as (keyof Keys)[]
      return known && names.some((name) => known[name] !== null && known[name] !== keys[name])
    })
    .map(({ generation }) => generation)

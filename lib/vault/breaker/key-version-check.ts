import type { VaultKeys } from '../addresses.ts'
import type { KeyVersionRow } from './switch-queries.ts'

/** The key versions in a database. */
type Recorded = { rows: KeyVersionRow[]; held: { keyVersion: number }[]; open: number[] }

/** Returns key versions with positions or open transactions that the settings do not name. */
export function missingKeyVersions(keyVersions: VaultKeys[], { held, open }: Recorded): number[] {
  const needed = new Set([...held.map(({ keyVersion }) => keyVersion), ...open])
  for (const { keyVersion } of keyVersions) needed.delete(keyVersion)
  return [...needed].toSorted((one, other) => one - other)
}

/** Returns key versions that vault and settlement have not been deployed with yet. */
export const newKeyVersions = (keyVersions: VaultKeys[], { rows }: Recorded): number[] =>
  keyVersions
    .filter((keys) => !rows.some((row) => row.keyVersion === keys.keyVersion && row.authority))
    .map(({ keyVersion }) => keyVersion)

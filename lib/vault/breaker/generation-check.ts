import type { VaultKeys } from '../addresses.ts'
import type { GenerationRow } from './switch-queries.ts'

/** The key versions in a database. */
type Recorded = { rows: GenerationRow[]; held: { generation: number }[]; open: number[] }

/** Returns key versions with positions or open transactions that the settings do not name. */
export function missingGenerations(generations: VaultKeys[], { held, open }: Recorded): number[] {
  const needed = new Set([...held.map(({ generation }) => generation), ...open])
  for (const { generation } of generations) needed.delete(generation)
  return [...needed].toSorted((one, other) => one - other)
}

/** Returns key versions that vault and settlement have not been deployed with yet. */
export const newGenerations = (generations: VaultKeys[], { rows }: Recorded): number[] =>
  generations
    .filter((keys) => !rows.some((row) => row.generation === keys.generation && row.authority))
    .map(({ generation }) => generation)

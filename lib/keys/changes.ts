/**
 * Finds the key generations whose addresses are not those that were deployed. A generation's keys never
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

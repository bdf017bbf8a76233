import { useState } from 'preact/hooks'

/**
 * The texts of a form's fields, each empty at first unless `start` has it. `bound` connects one to its field;
 * `given` has those that are filled in, for a body that leaves out the others.
 */
export function useTexts<Name extends string>(
  names: readonly Name[],
  start: Partial<Record<Name, string>> = {},
) {
  const first = { ...emptyOf(names), ...start }
  const [texts, setTexts] = useState(first)
  return {
    texts,
    bound: (name: Name) => ({
      name,
      value: texts[name],
      change: (text: string) => setTexts((before) => ({ ...before, [name]: text })),
    }),
    given: () =>
      Object.fromEntries(Object.entries<string>(texts).filter(([, text]) => text !== '')) as Partial<
        Record<Name, string>
      >,
    clear: () => setTexts(first),
  }
}

const emptyOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>

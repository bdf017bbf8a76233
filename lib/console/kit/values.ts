import { useState } from 'preact/hooks'

/** A value of a draft, and the function that changes it, as an input takes them. */
export type Bound<Value, Name = string> = { name: Name; value: Value; change: (value: Value) => void }

/**
 * The draft of a form: a value for each field, at first the values of `start`. `field` connects a value to
 * its input.
 */
export function useDraft<Draft extends object>(start: Draft) {
  const [first] = useState(start)
  const [draft, setDraft] = useState(start)
  return {
    draft,
    field: <Name extends keyof Draft & string>(name: Name): Bound<Draft[Name], Name> => ({
      name,
      value: draft[name],
      change: (value) => setDraft((before) => ({ ...before, [name]: value })),
    }),
    /** Resets the form. */
    clear: () => setDraft(first),
  }
}

/** Returns the filled fields of a draft, for a body without the empty ones. */
export const filled = <Draft extends object>(draft: Draft) =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== '')) as {
    [Name in keyof Draft]?: Exclude<Draft[Name], ''>
  }

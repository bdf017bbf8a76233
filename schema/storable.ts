/** A text in a value that can't be stored: its dotted path, and the error. */
type Unstorable = { path: string; message: string }

/**
 * Finds every text in a value that Postgres can't store: texts with U+0000, and texts that are not Unicode.
 * JSON can write half of a surrogate pair as an escape. Names of members are texts, too.
 *
 * All input passes here after its own schema (lib/http/validate.ts, lib/cursor.ts), so no schema needs this
 * check.
 */
export function unstorableTexts(value: unknown): Unstorable[] {
  const found: Unstorable[] = []
  // A growing list instead of recursion, which a deeply nested value would overflow.
  const rest = [{ path: '', value }]
  for (const { path, value } of rest) {
    if (typeof value === 'string') {
      const message = errorOf(value)
      if (message !== undefined) found.push({ path, message })
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const at = path === '' ? name : `${path}.${name}`
        rest.push({ path: at, value: name }, { path: at, value: member })
      }
    }
  }
  return found
}

/** Returns whether Postgres can store a text. */
export const isStorable = (text: string): boolean => errorOf(text) === undefined

function errorOf(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000'
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode'
}

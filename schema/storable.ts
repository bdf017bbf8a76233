/** A text within a value that can not be stored: its dotted path, and its fault. */
type Unstorable = { path: string; message: string }

/**
 * Finds every text in a value that Postgres can not store: texts with U+0000, and texts that are not Unicode
 * (half a surrogate pair, which JSON can write as an escape). Names of members are texts, too.
 *
 * Whatever comes from outside passes here after its own schema (lib/http/validate.ts, lib/cursor.ts), so that
 * no schema of a text has to think of it.
 */
export function unstorableTexts(value: unknown): Unstorable[] {
  const found: Unstorable[] = []
  // A list that grows instead of a recursion, which a deeply nested value would overflow.
  const rest = [{ path: '', value }]
  for (const { path, value } of rest) {
    if (typeof value === 'string') {
      const message = faultOf(value)
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

/** Whether Postgres can store a text. */
export const isStorable = (text: string): boolean => faultOf(text) === undefined

function faultOf(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000'
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode'
}
